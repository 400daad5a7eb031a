import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { allImports, sourceFiles } from "../../checks/imports.ts";
import { readActionMetadata } from "../../mini-runner/action-metadata.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** What each room may import, as docs/design.md has it. A room may always import itself, `failure` and `time`. */
const rooms: Record<string, readonly string[]> = {
  failure: [],
  time: [],
  http: [],
  trust: [],
  guest: [],
  sources: ["trust", "http"],
  proxmox: ["http"],
  distributions: ["guest", "sources", "http"],
  templates: ["distributions", "guest", "sources", "proxmox"],
  // What both shells need: connections opened and closed, signals, what is left behind.
  shell: ["templates", "distributions", "guest", "sources", "proxmox", "trust", "http"],
  library: ["shell", "templates", "distributions", "guest", "sources", "proxmox", "trust", "http"],
  cli: ["shell", "templates", "distributions", "guest", "sources", "proxmox", "trust", "http"],
  action: ["shell", "templates", "distributions", "guest", "sources", "proxmox", "trust", "http"],
};
const everyRoomMayImport = ["failure", "time"];

const imports = allImports(root, "src");
const roomOf = (file: string): string => file.split("/")[1] ?? "";

test("every folder of src is a room that this test knows", () => {
  const folders = readdirSync(path.join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(
    folders.map(({ name }) => name).filter((name) => rooms[name] === undefined),
    [],
  );
});

test("nothing imports upwards", () => {
  const wrong = imports.filter(({ file, target }) => {
    if (!target?.startsWith("src/")) return false;
    const from = roomOf(file);
    const to = roomOf(target);
    return from !== to && !everyRoomMayImport.includes(to) && !(rooms[from] ?? []).includes(to);
  });
  assert.deepEqual(
    wrong.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  );
});

test("src imports nothing from outside src but package.json", () => {
  assert.deepEqual(
    imports
      .filter(({ target }) => target !== undefined && !target.startsWith("src/") && target !== "package.json")
      .map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  );
});

test("only src/action knows @actions/core", () => {
  assert.deepEqual(
    imports
      .filter(({ file, specifier }) => specifier.startsWith("@actions/core") && roomOf(file) !== "action")
      .map(({ file }) => file),
    [],
  );
});

test("src uses no package but those that package.json names", () => {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(root, "package.json"), "utf8"),
  );
  const packageOf = (specifier: string): string =>
    specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
  const foreign = imports.filter(({ specifier, target }) => target === undefined && !specifier.startsWith("node:"));
  assert.deepEqual(
    foreign
      .filter(({ specifier }) => manifest.dependencies[packageOf(specifier)] === undefined)
      .map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  );
});

test("no source file is named for nothing in particular", () => {
  const vague = /(^|\/)(utils?|helpers?|misc|common|shared)(\/|\.ts$)/;
  assert.deepEqual(
    [...sourceFiles(root, "src"), ...sourceFiles(root, "test")].filter((file) => vague.test(file)),
    [],
  );
});

for (const entry of ["main", "post"]) {
  test(`src/action/${entry}.ts reads, wires, calls and maps in at most 60 lines`, () => {
    const lines = readFileSync(path.join(root, `src/action/${entry}.ts`), "utf8")
      .trimEnd()
      .split("\n").length;
    assert.ok(lines <= 60, `${lines} lines`);
  });
}

test("action.yml's defaults are the ones that the action takes for an empty input", async () => {
  const module: { inputDefaults: Record<string, string> } = await import(path.join(root, "src/action/inputs.ts"));
  const { inputs } = readActionMetadata(root);
  const written = Object.entries(inputs)
    // Its default is an expression that only the runner can evaluate; an empty token is no token.
    .filter(([name, input]) => name !== "github-token" && input.default !== undefined)
    .map(([name, input]) => [name, input.default] as const);
  assert.deepEqual(Object.fromEntries(written), module.inputDefaults);
});

test("the files that action.yml starts are there", () => {
  const { runs } = readActionMetadata(root);
  for (const file of [runs.main, runs.post ?? ""]) assert.ok(existsSync(path.join(root, file)), file);
});
