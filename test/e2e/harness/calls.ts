import type { TranscriptEntry } from "../../stand-in/proxmox/index.ts";

type Calls = readonly TranscriptEntry[];

export const isWrite = ({ method }: TranscriptEntry): boolean => method !== "GET";
export const isTaskPoll = ({ method, path }: TranscriptEntry): boolean =>
  method === "GET" && /\/tasks\/[^/]*\/status$/.test(path);

export const writes = (calls: Calls): Calls => calls.filter(isWrite);
export const withoutPolls = (calls: Calls): Calls => calls.filter((call) => !isTaskPoll(call));
export const connections = (calls: Calls): number => new Set(calls.map(({ connection }) => connection)).size;
/** `METHOD PATH` of each, for messages and comparisons. */
export const shown = (calls: Calls): string[] => calls.map(({ method, path, status }) => `${method} ${path} ${status}`);
export const to = (calls: Calls, method: string, path: RegExp): Calls =>
  calls.filter((call) => call.method === method && path.test(call.path));
