/** Remembers what was asked for, for the length of a run: the same question goes out once. A failure is not remembered. */
export class Once<T> {
  readonly #answers = new Map<string, Promise<T>>();

  /** The remembered answer for `key`, or the one that `ask` gives now. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    this.#answers.set(key, answer);
    answer.catch(() => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
    });
    return answer;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }
}
