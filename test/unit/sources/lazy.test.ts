import * as assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    if (!/^(\.|node:|\/|file:)/.test(specifier)) loaded.push(specifier);
    return next(specifier, context);
  },
});

test("opening the sources loads no HTTP client, OpenPGP, Octokit or YAML: a run that reuses what is there needs none", async () => {
  const [{ createHttp }, { githubSource }, { ubuntuSource }, { talosSource }, { kubernetesSource }] = await Promise.all(
    [
      import("../../../src/http/index.ts"),
      import("../../../src/sources/github/index.ts"),
      import("../../../src/sources/ubuntu/index.ts"),
      import("../../../src/sources/talos/index.ts"),
      import("../../../src/sources/kubernetes/index.ts"),
    ],
  );
  const http = createHttp({ environment: {}, version: "0.0.0" });
  const github = githubSource(http);
  const now = (): Date => new Date("2026-11-30T00:00:00Z");
  assert.equal(await ubuntuSource(http, { now }).resolveRelease("26.04"), "26.04");
  assert.equal(await talosSource(http, github).resolve("v1.14.4"), "v1.14.4");
  assert.equal(await kubernetesSource(http, github, { now }).resolve("v1.37.1"), "v1.37.1");
  await http.close();
  assert.ok(loaded.includes("zod/mini"), "the hook sees what is loaded");
  assert.deepEqual(
    loaded.filter((specifier) => /^(undici|openpgp|@actions|@octokit|yaml)/.test(specifier)),
    [],
  );
});
