import * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";

const text = z.string().check(z.maxLength(500), z.regex(/^[ -~]*$/));

const reportSchema = z.object({
  kernel: text,
  cloudInit: text,
  packages: z.record(text, text),
  images: z.array(text),
  warnings: z.array(text),
});

/** What the guest says it has become. */
export interface GuestReport {
  /** The kernel that clones will boot. */
  kernel: string;
  /** The words of `cloud-init status` in the build's boot: `done`, or `degraded done`. */
  cloudInit: string;
  /** Installed packages and their exact versions. */
  packages: Record<string, string>;
  /** Container images in containerd's `k8s.io` namespace: `REPOSITORY:TAG@sha256:…`. */
  images: string[];
  /** What was not as it should be and yet keeps nobody from using the template. */
  warnings: string[];
}

/**
 * Reads {@link reportPath} as the guest agent gives it.
 * @throws Failure("verification") when it is not a report: a guest that cannot say what it is is no template
 */
export function parseReport(content: string): GuestReport {
  try {
    return reportSchema.parse(JSON.parse(content), inEnglish);
  } catch (cause) {
    throw new Failure("verification", "The guest's report of its packages cannot be read.", { cause });
  }
}

/** The last `count` lines of the guest's log, without control characters, each cut to 300 characters. Still foreign text. */
export function lastLines(log: string, count = 40): string[] {
  return log
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, "")
        .slice(0, 300)
        .trimEnd(),
    )
    .filter((line) => line !== "")
    .slice(-count);
}
