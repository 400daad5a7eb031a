import { spawnSync } from "node:child_process";

/** Whether a program can be started here; its own exit code does not matter. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** For `skip`: a reason where the program is missing, else false. */
export function without(name: string): string | false {
  return hasProgram(name) ? false : `${name} is not installed`;
}

export function run(
  program: string,
  args: readonly string[],
  input = "",
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", input });
  return { code: status, out: stdout, err: stderr };
}
