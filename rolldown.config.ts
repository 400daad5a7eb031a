// Bundles the Action and the command into dist/, which is committed: a runner starts it without an installation.
import { chmodSync, existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "rolldown";
import type { OutputChunk, Plugin } from "rolldown";

const root = import.meta.dirname;

/**
 * A chunk of its own for each package, so that a path through the program loads what it needs and no more. zod,
 * commander and @actions/core are on every path of a shell and lie with the modules that import them.
 */
const packageChunks: readonly { name: string; test: RegExp }[] = [
  // LGPL-3.0: a file of its own, beside its licence, loaded only where a signature is checked.
  { name: "openpgp", test: /[\\/]node_modules[\\/]openpgp[\\/]/ },
  { name: "undici", test: /[\\/]node_modules[\\/]undici[\\/]/ },
  { name: "yaml", test: /[\\/]node_modules[\\/]yaml[\\/]/ },
  { name: "semver", test: /[\\/]node_modules[\\/]semver[\\/]/ },
  // Everything that only a look-up of releases needs.
  {
    name: "octokit",
    test: /[\\/]node_modules[\\/](@octokit|@actions[\\/](github|http-client)|tunnel|before-after-hook|universal-user-agent|content-type|json-with-bigint)[\\/]/,
  },
];

/**
 * Modules in whose place a smaller one is bundled, since they load what nothing here uses.
 * undici's index: mocks, interceptors, caches, cookies, WebSocket, EventSource and its own `fetch` are 500 KB of 970 KB.
 * What is imported from it is named here; the first line is what the index itself does before anything else.
 * Octokit: the table of all of GitHub's methods is 96 KB; the one that is called here is named.
 * @actions/core: OpenID tokens and the operating system's name bring an HTTP client and a process runner along.
 */
const smallerModules: readonly { test: RegExp; code: string }[] = [
  {
    test: /[\\/]undici[\\/]index\.js$/,
    code: `
      Object.assign(require("./lib/dispatcher/dispatcher").prototype, require("./lib/api"));
      exports.ProxyAgent = require("./lib/dispatcher/proxy-agent");
      exports.fetch = (input, init) => globalThis.fetch(input, init);
    `,
  },
  {
    // Only reached for a FormData body; bodies here are text. It brings half of fetch along.
    test: /[\\/]undici[\\/]lib[\\/]web[\\/]fetch[\\/]body\.js$/,
    code: `exports.extractBody = () => {
      throw new Error("FormData bodies are left out of this bundle");
    };`,
  },
  {
    test: /[\\/]plugin-rest-endpoint-methods[\\/]dist-src[\\/]generated[\\/]endpoints\.js$/,
    code: 'export default { repos: { listReleases: ["GET /repos/{owner}/{repo}/releases"] } };',
  },
  {
    test: /[\\/]@actions[\\/]core[\\/]lib[\\/]oidc-utils\.js$/,
    code: `export class OidcClient {
      static async getIDToken() {
        throw new Error("OpenID tokens are left out of this bundle");
      }
    }`,
  },
  { test: /[\\/]@actions[\\/]core[\\/]lib[\\/]platform\.js$/, code: "export {};" },
];

/** commander requires what only subcommands that are programs of their own need: 7 ms of each start. */
const leaveOutChildProcess: Plugin = {
  name: "leave-out-child-process",
  transform: {
    filter: { id: /[\\/]node_modules[\\/]commander[\\/]lib[\\/]command\.js$/ },
    handler(code) {
      const required = "require('node:child_process')";
      if (!code.includes(required)) throw new Error(`commander no longer says ${required}`);
      return code.replace(
        required,
        '{ spawn() { throw new Error("Subcommands that are programs are left out of this bundle"); } }',
      );
    },
  },
};

const takeSmallerModules: Plugin = {
  name: "take-smaller-modules",
  load: {
    filter: { id: /[\\/]node_modules[\\/](undici|@actions[\\/]core|@octokit[\\/]plugin-rest-endpoint-methods)[\\/]/ },
    handler(id) {
      return smallerModules.find(({ test }) => test.test(id))?.code;
    },
  },
};

interface BundledPackage {
  name: string;
  version: string;
  license: string;
  text: string;
}

/** The innermost package that a module belongs to, or nothing for our own modules. */
function packageOf(moduleId: string): string | undefined {
  const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId);
  return found?.[1];
}

function describePackage(directory: string): BundledPackage {
  const manifest: unknown = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8"));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const file = readdirSync(directory)
    .toSorted()
    .find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
  if (file === undefined && license === undefined)
    throw new Error(`${name} names no licence and holds no licence file`);
  const text =
    file === undefined ? "(The package holds no licence file.)" : readFileSync(path.join(directory, file), "utf8");
  return { name, version, license: license ?? "see below", text: text.replaceAll("\r\n", "\n").trim() };
}

function bundledPackages(chunks: readonly OutputChunk[]): BundledPackage[] {
  const directories = new Set(chunks.flatMap((chunk) => chunk.moduleIds.flatMap((id) => packageOf(id) ?? [])));
  return [...directories]
    .map(describePackage)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
}

const licenceText = ({ name, version, license, text }: BundledPackage): string =>
  `${"=".repeat(80)}\n${name} ${version}\nLicence: ${license}\n${"=".repeat(80)}\n\n${text}\n`;

const gatherLicences: Plugin = {
  name: "gather-licences",
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
    const packages = bundledPackages(chunks);
    const apart = packages.filter(({ name }) => name === "openpgp");
    const rest = packages.filter(({ name }) => name !== "openpgp");
    this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: rest.map(licenceText).join("\n") });
    // LGPL-3.0, section 4 b: a combined work comes with both texts, and the package holds the one only.
    const general = readFileSync(path.join(root, "docs/licenses/GPL-3.0.txt"), "utf8");
    for (const one of apart) {
      this.emitFile({
        type: "asset",
        fileName: `${one.name}.LICENSE.txt`,
        source: `${licenceText(one)}\n${"=".repeat(80)}\n\n${general}`,
      });
    }
  },
};

const makeCommandExecutable: Plugin = {
  name: "make-command-executable",
  writeBundle(options) {
    const command = path.join(options.dir ?? "dist", "cli.mjs");
    if (existsSync(command)) chmodSync(command, 0o755);
  },
};

/** Modules of ours, by their paths below src without endings. */
function ownModules(...paths: readonly string[]): RegExp {
  return new RegExp(`/src/(${paths.join("|")})\\.ts$`.replaceAll("/", "[\\\\/]"));
}

export default defineConfig({
  cwd: root,
  input: {
    main: "src/action/main.ts",
    post: "src/action/post.ts",
    cli: "src/cli/main.ts",
    library: "src/library/index.ts",
  },
  platform: "node",
  tsconfig: false,
  resolve: {
    // The same code as ES modules, of which only what is used is taken; the CommonJS build comes whole (220 KB).
    alias: { yaml: path.join(root, "node_modules/yaml/browser/index.js") },
  },
  moduleTypes: { ".sh": "text", ".service": "text", ".asc": "text" },
  plugins: [takeSmallerModules, leaveOutChildProcess, gatherLicences, makeCommandExecutable],
  output: {
    dir: "dist",
    cleanDir: true,
    format: "esm",
    entryFileNames: "[name].mjs",
    // No hashes: a name stays the same from build to build, so that a change shows as a difference of that file.
    chunkFileNames: (chunk) => (chunk.isDynamicEntry ? "load-[name].mjs" : "[name].mjs"),
    banner: (chunk) => (chunk.isEntry && chunk.name === "cli" ? "#!/usr/bin/env node" : ""),
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: false,
    codeSplitting: {
      groups: [
        ...packageChunks.map((group, index) => ({ ...group, priority: packageChunks.length - index + 2 })),
        // What the command's help needs: it should not load the rest.
        {
          name: "start",
          test: /[\\/]src[\\/](shell[\\/]version|templates[\\/]request-defaults)\.ts$|[\\/]package\.json$/,
          priority: 2,
        },
        // What reusing a template loads is one file for both shells, and one more for each: every further file costs its
        // start a millisecond. Dependencies come along.
        {
          name: "core",
          test: ownModules(
            "distributions/upstreams",
            "shell/(journal|lock-file|remains|session|signals)",
            "templates/(create|request)",
          ),
          priority: 1,
        },
        { name: "command-line", test: ownModules("cli/work"), priority: 0 },
        {
          name: "action",
          test: ownModules("action/(failures|inputs|journal|reporter|run|summary|commands/create)"),
          priority: 0,
        },
      ],
    },
  },
});
