import { Refusal } from "../refusal.ts";
import type { UploadedFile } from "../call.ts";

/** Bytes over which pveproxy refuses a form (PVE::APIServer::AnyEvent, `max_post_size`). */
export const FORM_LIMIT = 512 * 1024;

const plusAsSpace = (text: string) => text.replaceAll("+", " ");

function decode(text: string): string {
  try {
    return decodeURIComponent(plusAsSpace(text));
  } catch {
    return plusAsSpace(text);
  }
}

/** Splits a form or query; `;` separates as `&` does, and a name that comes twice has a list of values. */
export function parseForm(text: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const pair of text.split(/[&;]/)) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

/** Reads the parameters of a POST or PUT by its content type; throws what pveproxy answers to any other. */
export function parseBody(contentType: string | undefined, body: Buffer): Record<string, unknown> {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  if (body.length === 0) return {};
  if (type === undefined || type === "application/x-www-form-urlencoded") return parseForm(body.toString("utf8"));
  if (type !== "application/json") throw new Refusal(506, `upload '${type}' not implemented`, { bare: "text" });
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    const start = body.toString("utf8").slice(1);
    const text = `'"' expected, at character offset 1 (before "${start}") at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.`;
    throw new Refusal(500, text, { bare: "text" });
  }
  throw new Refusal(500, "malformed JSON string", { bare: "text" });
}

const UPLOAD_FAILED = "upload failed at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 1370.";

/** True for what pveproxy takes as an upload. */
export const isMultipart = (contentType: string | undefined): boolean =>
  contentType?.toLowerCase().startsWith("multipart/form-data") === true;

/**
 * Reads a multipart upload as pveproxy does: fields count only before the file, which is the part named `filename`, and
 * ends the reading; a quoted boundary is not understood.
 */
export function parseMultipart(
  contentType: string,
  body: Buffer,
): { fields: Record<string, string>; file?: UploadedFile } {
  const boundary = /boundary=(\S+?)(?:;|$)/i.exec(contentType)?.[1] ?? "";
  const marker = Buffer.from(`--${boundary}`);
  if (boundary === "" || !body.subarray(0, marker.length).equals(marker)) {
    throw new Refusal(500, UPLOAD_FAILED, { bare: "text" });
  }
  const fields: Record<string, string> = {};
  let at = marker.length;
  for (;;) {
    if (body.subarray(at, at + 2).toString() !== "\r\n") return { fields };
    const headEnd = body.indexOf("\r\n\r\n", at);
    const next = body.indexOf(Buffer.from(`\r\n--${boundary}`), headEnd + 2);
    if (headEnd < 0 || next < 0) throw new Refusal(500, UPLOAD_FAILED, { bare: "text" });
    const head = body.subarray(at, headEnd).toString("utf8");
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    const fileName = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    const bytes = body.subarray(headEnd + 4, next);
    if (name === "filename" && fileName !== undefined) {
      return { fields: { ...fields, filename: fileName }, file: { bytes: Buffer.from(bytes) } };
    }
    // Fields that only the server itself may set are refused.
    if (name === undefined || !["content", "checksum", "checksum-algorithm"].includes(name)) {
      throw new Refusal(400, "Bad Request", { bare: "empty" });
    }
    fields[name] = bytes.toString("utf8").trim();
    at = next + 2 + marker.length;
  }
}
