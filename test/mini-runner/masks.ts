/** Hides secrets in text as the runner's log does. */
export class Masks {
  private readonly known = new Set<string>();

  /** Adds a secret, each of its lines, and the forms in which the runner knows it: base64, URL-encoded, JSON-escaped. */
  add(secret: string): void {
    for (const value of [secret, ...secret.split(/\r?\n/)]) {
      if (value.trim() === "") continue;
      this.known.add(value);
      this.known.add(Buffer.from(value).toString("base64"));
      this.known.add(encodeURIComponent(value));
      this.known.add(JSON.stringify(value).slice(1, -1));
    }
  }

  hide(text: string): string {
    let hidden = text;
    // The longest first, so that a secret that holds another one goes whole.
    for (const value of [...this.known].toSorted((a, b) => b.length - a.length)) {
      hidden = hidden.replaceAll(value, "***");
    }
    return hidden;
  }

  /** Whether the text holds a secret in one of its forms; the runner drops a job's output for that. */
  reveals(text: string): boolean {
    return [...this.known].some((value) => text.includes(value));
  }
}
