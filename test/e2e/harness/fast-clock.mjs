// Preloaded into the bundled command: its clock and timers run KUBEHENGE_TEST_SPEED times as fast as real time, as those
// of the stand-ins do, so that bounds of minutes are met in a test as they are, and not as settings of a test.
const speed = Number(process.env.KUBEHENGE_TEST_SPEED ?? 1);
const started = Date.now();
const realNow = Date.now.bind(Date);
const realSetTimeout = globalThis.setTimeout;
Date.now = () => Math.round(started + (realNow() - started) * speed);
globalThis.setTimeout = Object.assign(
  (callback, ms = 0, ...rest) => realSetTimeout(callback, ms / speed, ...rest),
  realSetTimeout,
);
