import { parseVerifyRequest } from "../templates/upkeep-requests.ts";
import { verifyTemplate } from "../templates/verify.ts";
import { nameOption, outputFormat, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import { doWork, type Work } from "./work.ts";

export const verify = (distribution: string, options: Options): Promise<void> =>
  doWork(() => work(distribution, options));

function work(distribution: string, options: Options): Work {
  const raw = {
    ...rawInputs(distribution, options),
    pin: options["digest"] === undefined ? undefined : String(options["digest"]),
  };
  const request = parseVerifyRequest(raw, (input) => (input === "pin" ? "--digest" : nameOption(input)));
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: request.timeoutMs,
    writes: request.protect !== undefined,
    async run(context) {
      const { target, template, pinned } = await verifyTemplate(context, request);
      if (output === "json")
        return {
          result: JSON.stringify(
            {
              title: target.title,
              vmid: template.vmid,
              node: template.node,
              digest: template.digest,
              protected: pinned,
            },
            undefined,
            2,
          ),
        };
      return {
        result: plain(
          `${target.title}: VM ${template.vmid} on node ${template.node} is the pinned one (${template.digest})${pinned ? ", protected" : ""}`,
        ),
      };
    },
  };
}
