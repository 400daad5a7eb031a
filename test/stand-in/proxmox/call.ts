import type { Params } from "./schema/params.ts";
import type { World } from "./world.ts";

/** The file of a multipart upload. */
export interface UploadedFile {
  bytes: Buffer;
}

/** One request that may be carried out: it is signed in, permitted and its parameters hold. */
export interface Call {
  world: World;
  /** The user or token. */
  who: string;
  params: Params;
  /** The node of the path; "" where it has none. */
  node: string;
  upload: UploadedFile | undefined;
}

/** An answer that has more than `data`, such as the `total` of a list. */
export class Answer {
  readonly data: unknown;
  readonly extra: Record<string, unknown>;
  constructor(data: unknown, extra: Record<string, unknown>) {
    this.data = data;
    this.extra = extra;
  }
}

export type Handler = (call: Call) => unknown;

/** Handlers by `METHOD /path/{parameter}`. */
export type Routes = Record<string, Handler>;
