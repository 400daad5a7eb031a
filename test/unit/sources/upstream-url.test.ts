import * as assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/failure/failure.ts";
import { publicUpstreamUrl, upstreamUrl } from "../../../src/sources/upstream-url.ts";

const usage = (message: RegExp) => (error: unknown) =>
  error instanceof Failure &&
  error.kind === "usage" &&
  message.test(error.message) &&
  !error.message.includes("secret");

test("an upstream's address is taken with or without slashes at its end", () => {
  for (const given of [
    "https://mirror.example.org/ubuntu",
    "https://mirror.example.org/ubuntu/",
    "https://mirror.example.org/ubuntu//",
  ]) {
    assert.equal(upstreamUrl(given, "--ubuntu-url"), "https://mirror.example.org/ubuntu");
  }
  assert.equal(upstreamUrl("http://127.0.0.1:8080", "--ubuntu-url"), "http://127.0.0.1:8080");
});

test("an upstream's address that is none is refused with its option", () => {
  for (const given of ["", "mirror.example.org", "file:///srv/secret", "ftp://secret.example.org", "https://"]) {
    assert.throws(
      () => upstreamUrl(given, "--ubuntu-url"),
      usage(/^--ubuntu-url is not an http or https address/),
      given,
    );
  }
  for (const given of ["https://m.example.org/?token=secret", "https://m.example.org/#secret"])
    assert.throws(() => upstreamUrl(given, "--ubuntu-url"), usage(/must end before/));
});

test("credentials are refused in an address that Proxmox VE or the template keeps, and taken in one that stays here", () => {
  for (const given of ["https://me:secret@m.example.org/", "https://secret@m.example.org/"]) {
    assert.throws(
      () => publicUpstreamUrl(given, "--ubuntu-url"),
      usage(/^--ubuntu-url must not hold a user name or password/),
    );
    assert.equal(new URL(upstreamUrl(given, "--kubernetes-releases-url")).hostname, "m.example.org");
  }
});
