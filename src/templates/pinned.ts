import { sameTags } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { templateOf } from "./outcome.ts";
import { checkPin } from "./pins.ts";
import type { PlanEntry } from "./plan.ts";
import type { CreateRequest } from "./request.ts";

/**
 * A run with pins finds or fails: it never builds, since a new build would be another one.
 * @throws Failure `verification` when what is there is not what was pinned, `usage` when a pin cannot be meant
 */
export function checkPinned(plans: readonly PlanEntry[], request: Pick<CreateRequest, "pin" | "pins">): void {
  if (request.pin !== undefined && plans.length !== 1) {
    throw new Failure(
      "usage",
      `One digest was pinned, but the versions stand for ${plans.length} templates: ${plans.map(({ target }) => target.title).join("; ")}`,
      {
        remedy: ["pin one template by an exact version, or several with a lock file"],
      },
    );
  }
  for (const plan of plans) {
    const { target } = plan;
    const wanted = request.pin ?? request.pins?.find((pin) => sameTags(pin.tags, target.tags))?.digest;
    if (wanted === undefined)
      throw new Failure("verification", `The lock file allows no template of ${target.title}`, {
        remedy: ["write it anew with --lock write, once that template was tested"],
      });
    if (plan.action !== "reuse")
      throw new Failure(
        "verification",
        `The pinned template of ${target.title} (${wanted}) is not there: ${plan.why}`,
        { remedy: ["a retired build can be brought back: kubehenge template rollback"] },
      );
    checkPin(target, templateOf(target, plan.found), wanted);
  }
}
