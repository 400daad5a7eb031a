/**
 * Runs `work` on every item, at most `limit` at a time; answers in the items' order. Where one throws, the others are
 * waited for before it is told: what they undo must not be cut off.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at] as T);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  for (const end of ends) if (end.status === "rejected") throw end.reason as Error;
  return results;
}
