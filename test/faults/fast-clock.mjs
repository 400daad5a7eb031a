// Preloaded into the bundled Action and command: their time runs as fast as the stand-in's (KUBEHENGE_TEST_SPEED) and
// starts so many milliseconds later (KUBEHENGE_TEST_AHEAD_MS). Bounds of AbortSignal.timeout, such as the 7 s of cleaning
// up after a signal, stay real: they measure what a busy machine gets done, not what is simulated.
await import("../e2e/harness/fast-clock.mjs");

const ahead = Number(process.env.KUBEHENGE_TEST_AHEAD_MS ?? 0);
const now = Date.now.bind(Date);
Date.now = () => now() + ahead;
