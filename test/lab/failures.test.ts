// Builds that fail in real guests. Started as rke2.test.ts is; the other two labs take part once their own tests are done.
import { after, before } from "node:test";
import { runFailures } from "./failure-queue.ts";
import { openLab, type Lab } from "./world.ts";

let lab: Lab;
before(async () => {
  lab = await openLab();
});
after(async () => {
  await lab[Symbol.asyncDispose]();
});

runFailures(() => lab);
