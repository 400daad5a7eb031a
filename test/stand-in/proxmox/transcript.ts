import { appendFileSync } from "node:fs";

/** One request, as it was seen and answered. */
export interface TranscriptEntry {
  /** From the user agent, when it names one as `run/NAME`. */
  run?: string;
  /** Number of the connection, from 1. */
  connection: number;
  /** True for the first request on its connection. */
  newConnection: boolean;
  /** True when the connection took up an earlier TLS session. */
  tlsResumed: boolean;
  method: string;
  /** Without `/api2/json`, decoded. */
  path: string;
  query: string;
  /** Parameters of the body, secrets left out. */
  form?: Record<string, unknown>;
  /** 0: cut without an answer. */
  status: number;
  reason: string;
  /** Real milliseconds from the arrival to the answer. */
  ms: number;
  /** Bytes of bodies. */
  bytesIn: number;
  bytesOut: number;
}

const SECRET = /^(password|new-?password|otp|cipassword)$/i;

/** A form without its secrets. */
export function withoutSecrets(form: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, SECRET.test(name) ? "***" : value]));
}

/** Every request in the order of arrival, refused ones too. */
export class Transcript {
  readonly entries: TranscriptEntry[] = [];
  readonly #file: string | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Adds a request that has arrived; its answer is filled in later. */
  open(entry: TranscriptEntry): TranscriptEntry {
    this.entries.push(entry);
    return entry;
  }

  /** The request was answered or cut: its line is written. */
  finish(entry: TranscriptEntry): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }
}
