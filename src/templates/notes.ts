import type { Target } from "../distributions/target.ts";
import { leaseSchema, type Lease } from "./lease.ts";
import { manifestDigest, manifestSchema, type Manifest } from "./manifest.ts";

/** Proxmox VE's limit of a VM's notes, in characters. */
const notesLimit = 8192;

/** What stands in the notes for the product. */
type NoteJson = { kubehenge: "lease"; lease: Lease } | { kubehenge: "template"; manifest: Manifest };

export type Note = { lease: Lease; manifest?: undefined } | { manifest: Manifest; lease?: undefined };

/** The notes of a finished template: Markdown for a person, with the manifest for the product. */
export function templateNotes(target: Target, manifest: Manifest): string {
  const facts = [
    `# ${escapeMarkdown(target.title)}`,
    "",
    `VM template for Cluster API clusters, made by kubehenge on ${manifest.created.slice(0, 10)}. It is found by its exact set of tags: leave them as they are.`,
    "",
    `- image: ${escapeMarkdown(manifest.image.url)}`,
    ...(manifest.image.sha256 ? [`- SHA-256: ${manifest.image.sha256}`] : []),
    ...manifest.verified.map(
      (one) =>
        `- ${escapeMarkdown(one.what)}: ${one.by === "signature" ? `signed by ${one.signer ?? ""}` : "TLS only"}`,
    ),
    `- digest: ${manifestDigest(manifest)}`,
    `- run: ${escapeMarkdown(manifest.runUrl ?? manifest.run)}`,
  ];
  return withJson(facts.join("\n"), { kubehenge: "template", manifest });
}

/** The notes of a VM that is being built, or that was kept after a failure. */
export function leaseNotes(lease: Lease): string {
  const lines =
    lease.state === "kept"
      ? [
          `# Kept: ${escapeMarkdown(lease.title)} failed`,
          "",
          escapeMarkdown(lease.reason ?? ""),
          "",
          "This VM was left for inspection. No template of this kind is built until it is gone: delete it here, or with `kubehenge template delete`.",
        ]
      : [
          `# Being built: ${escapeMarkdown(lease.title)}`,
          "",
          `By ${escapeMarkdown(lease.runUrl ?? lease.run)}, since ${lease.since}. After ${lease.until} any later run may remove this VM.`,
        ];
  return withJson(lines.join("\n"), { kubehenge: "lease", lease });
}

/** What the notes of a VM say to the product; nothing for anything else that may stand there. */
export function readNotes(description: string | undefined): Note | undefined {
  const block = /(?:^|\n)```json\n([^]*?)\n```\s*$/.exec(description ?? "")?.[1];
  if (!block) return undefined;
  try {
    const note = JSON.parse(block) as Partial<Record<"kubehenge" | "lease" | "manifest", unknown>> | null;
    if (note?.kubehenge === "lease") {
      const { data } = leaseSchema().safeParse(note.lease);
      return data && { lease: data };
    }
    if (note?.kubehenge !== "template") return undefined;
    const { data } = manifestSchema().safeParse(note.manifest);
    return data && { manifest: data };
  } catch {
    return undefined;
  }
}

function withJson(text: string, json: NoteJson): string {
  const block = `\n\n\`\`\`json\n${JSON.stringify(json)}\n\`\`\`\n`;
  // The product's part must stay whole; the person's part gives way.
  return text.slice(0, Math.max(0, notesLimit - block.length)) + block;
}

/** Markdown's own characters and HTML in foreign text, on one line. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\r\n\t]+/g, " ")
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f]/g, "")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/[\\`*_{}[\]()#+!|~]/g, (mark) => `\\${mark}`)
  );
}
