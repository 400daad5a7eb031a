/** A request's parameters after they were checked; booleans are `1` or `0`. */
export class Params {
  readonly #values: Map<string, string | string[]>;

  constructor(values: Map<string, string | string[]>) {
    this.#values = values;
  }

  get(name: string): string | undefined {
    const value = this.#values.get(name);
    return Array.isArray(value) ? value.join(",") : value;
  }

  /** A parameter that the schema makes sure of. */
  need(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw new Error(`the schema let a request through without ${name}`);
    return value;
  }

  int(name: string): number | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : Number(value);
  }

  flag(name: string): boolean {
    return this.get(name) === "1";
  }

  list(name: string): string[] {
    const value = this.#values.get(name);
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  }

  /** Every parameter but these. */
  except(...names: string[]): Map<string, string> {
    const rest = new Map<string, string>();
    for (const name of this.#values.keys()) if (!names.includes(name)) rest.set(name, this.need(name));
    return rest;
  }
}
