/** A request that Proxmox VE refuses: its text is the HTTP reason phrase and the `message` of the body. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: Record<string, string> | undefined;
  /** 401 has no body, and errors of the HTTP layer have their text as a plain one. */
  readonly bare: "empty" | "text" | undefined;

  constructor(status: number, text: string, detail: { errors?: Record<string, string>; bare?: "empty" | "text" } = {}) {
    super(text);
    this.status = status;
    this.errors = detail.errors;
    this.bare = detail.bare;
  }
}

/** An error that the API code dies of. */
export const died = (text: string) => new Refusal(500, text);

/** Parameters that do not fit, by name. */
export const badParameters = (errors: Record<string, string>) =>
  new Refusal(400, "Parameter verification failed.", { errors });

/** A missing privilege; without detail where Proxmox VE names none. */
export const forbidden = (detail?: string) =>
  new Refusal(403, detail === undefined ? "Permission check failed" : `Permission check failed (${detail})`);

export const unauthorized = (text: string) => new Refusal(401, text, { bare: "empty" });
