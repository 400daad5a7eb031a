import { badParameters } from "../refusal.ts";

/** The name without folders, each character but letters, digits, `.`, `_` and `-` made `_` (recording: `a+b` too). */
export const normalName = (name: string): string => name.replace(/^.*[/\\]/s, "").replace(/[^A-Za-z0-9._-]/g, "_");

const EXTENSIONS: Record<string, RegExp> = {
  iso: /\.(iso|img)$/i,
  import: /\.(qcow2|raw|vmdk|ova)$/,
  vztmpl: /\.tar\.(gz|xz|zst|bz2)$|\.tar$/,
};

/** The name under which a file of this content is stored; throws 400 with `fault` for another extension. */
export function contentName(content: string, given: string, fault: string): string {
  const name = normalName(given);
  if (!EXTENSIONS[content]?.test(name)) throw badParameters({ filename: fault });
  const folder = content === "vztmpl" ? "vztmpl" : content;
  return `${folder}/${name}`;
}
