/** Seconds from now, in words, whenever it is asked. */
export function stopwatch(): () => string {
  const began = performance.now();
  return () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
}
