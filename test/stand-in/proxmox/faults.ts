import type { TaskFault } from "./tasks.ts";

/** What can go wrong with a request on purpose. */
export type Fault =
  /** The connection is cut; nothing was carried out. */
  | { kind: "reset-before" }
  /** The connection is cut; the request was carried out. */
  | { kind: "reset-after" }
  /** The connection is cut, nothing was carried out, and new connections are refused for so many real milliseconds. */
  | { kind: "refuse"; ms: number }
  /** Answered so; nothing was carried out. */
  | { kind: "answer"; status: number; reason: string; body?: unknown }
  /** Answered so; the request was carried out. */
  | { kind: "answer-after"; status: number; reason: string; body?: unknown }
  /** Carried out so many stand-in milliseconds later. */
  | { kind: "delay"; ms: number }
  /** The task that the request starts meets this. */
  | TaskFault;

/** What a fault hook is shown. */
export interface FaultRequest {
  method: string;
  /** Without `/api2/json`, decoded. */
  path: string;
  /** Parameters of query and body together, not checked. */
  params: Readonly<Record<string, unknown>>;
  /** `after`: it was carried out, and is about to be answered. */
  phase: "before" | "after";
  /** In the phase `after`. */
  status?: number;
}

/**
 * Asked before each request is carried out, with its number since the start (from 0), and after it too unless it gave a
 * fault before.
 */
export type FaultHook = (request: FaultRequest, index: number) => Fault | undefined;

export const isTaskFault = (fault: Fault | undefined): fault is TaskFault =>
  fault?.kind === "task-fails" || fault?.kind === "task-warnings" || fault?.kind === "task-dies";
