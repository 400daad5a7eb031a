import { Writable } from "node:stream";
import { Failure } from "../failure/failure.ts";

/**
 * A user's password: from KUBEHENGE_PROXMOX_PASSWORD, else asked for on the terminal without showing it. Never an
 * option, since other users of the machine can read a process's arguments.
 * @throws Failure `usage` where neither is there
 */
export async function readPassword(
  user: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const given = environment["KUBEHENGE_PROXMOX_PASSWORD"];
  if (given) return given;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new Failure(
      "usage",
      `No password for ${user}: set KUBEHENGE_PROXMOX_PASSWORD, or run on a terminal to be asked for it`,
    );
  }
  process.stderr.write(`Password of ${user}: `);
  const { createInterface } = await import("node:readline");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => reject(new Failure("interrupted", "No password was given")));
      lines.once("close", () => reject(new Failure("usage", `No password for ${user} was given`)));
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
