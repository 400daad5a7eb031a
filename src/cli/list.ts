import { Failure } from "../failure/failure.ts";
import { listTemplates, type Listed } from "../templates/list.ts";
import { parseListRequest } from "../templates/upkeep-requests.ts";
import { nameOption, rawInputs, type Options } from "./inputs.ts";
import { columns, plain } from "./text.ts";
import { doWork, type Work } from "./work.ts";

const formats: Record<string, (rows: readonly Listed[]) => string> = { table, wide, json, capmox };

export const list = (options: Options): Promise<void> => doWork(() => work(options));

function work(options: Options): Work {
  const format = formats[String(options["output"])];
  if (!format)
    throw new Failure(
      "usage",
      `-o is one of ${Object.keys(formats).join(", ")}, not ${JSON.stringify(options["output"])}`,
    );
  const raw = rawInputs(undefined, options);
  const request = parseListRequest(raw, nameOption);
  return {
    options,
    raw,
    timeoutMs: 10 * 60_000,
    writes: false,
    async run({ proxmox, reporter }) {
      const rows = await listTemplates(proxmox, request);
      if (rows.length === 0)
        reporter.note(
          `No template ${request.pool === undefined ? "in any pool" : `in pool ${request.pool}`} that the token may see (VM.Audit)`,
        );
      return { result: rows.length === 0 && format !== json ? "" : format(rows) };
    },
  };
}

function table(rows: readonly Listed[]): string {
  return columns([
    ["TEMPLATE", "VMID", "NODE", "STATE"],
    ...rows.map((row) => [row.target.title, String(row.vmid), row.node, row.state].map(plain)),
  ]);
}

function wide(rows: readonly Listed[]): string {
  return columns([
    ["TEMPLATE", "VMID", "NODE", "STATE", "POOL", "STORAGE", "MADE", "DIGEST", "TAGS"],
    ...rows.map((row) =>
      [
        row.target.title,
        String(row.vmid),
        row.node,
        row.state,
        row.pool ?? "-",
        row.storage ?? "-",
        row.manifest?.created ?? "-",
        row.digest?.slice(0, 19) ?? "-",
        row.tags.join(";"),
      ].map(plain),
    ),
  ]);
}

function json(rows: readonly Listed[]): string {
  return JSON.stringify(
    rows.map(({ target, manifest, ...row }) => ({
      distribution: target.distribution,
      version: target.version,
      ubuntuRelease: target.ubuntuRelease,
      ...row,
      created: manifest?.created,
      image: manifest?.image.url,
      manifest,
    })),
    undefined,
    2,
  );
}

/** Rows of `spec.template.spec` in a ProxmoxMachineTemplate, one template after the other. */
function capmox(rows: readonly Listed[]): string {
  return rows
    .filter(({ state }) => state === "template")
    .map((row) =>
      plainLines([
        `# ${row.target.title}: VM ${row.vmid} on node ${row.node}`,
        "templateSelector:",
        "  matchTags:",
        ...row.tags.map((tag) => `    - ${tag}`),
      ]),
    )
    .join("\n");
}

function plainLines(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/[^\x20-\x7e]/g, "")).join("\n");
}
