import { qcow2 } from "./qcow2.ts";
import { readSchematic, schematicId } from "./schematic.ts";
import { notFound, type Upstream, type UpstreamAnswer, type UpstreamRequest } from "./server.ts";

export interface ImageFactory {
  serve: Upstream;
  /** What /versions lists. */
  versions: Set<string>;
  /** Versions that are listed and whose images are not there (yet). */
  withoutImages: Set<string>;
  /** Schematics that were posted, by ID. */
  schematics: Map<string, Record<string, unknown>>;
  /** What POST /schematics answers instead of the right ID. */
  answerId: string | undefined;
}

// MinRAWDiskSize of a nocloud image.
const virtualBytes = 1246 * 1024 ** 2;
const imageName =
  /^(metal|nocloud)-(amd64|arm64)(-secureboot)?\.(qcow2|raw|iso|raw\.xz|raw\.zst)(\.sha256|\.sha512|\.sigstore\.json)?$/;
const extensions = ["siderolabs/iscsi-tools", "siderolabs/qemu-guest-agent", "siderolabs/util-linux-tools"];

/** The Talos Image Factory: docs/api.md of siderolabs/image-factory. */
export function imageFactory(): ImageFactory {
  const factory: ImageFactory = {
    versions: new Set(),
    withoutImages: new Set(),
    schematics: new Map(),
    answerId: undefined,
    serve: (request) => {
      const { method, path } = request;
      if (path === "/versions" && method === "GET") return json(200, [...factory.versions]);
      if (path === "/schematics" && method === "POST") return post(factory, request);
      const [, id] = /^\/schematics\/([0-9a-f]{64})$/.exec(path) ?? [];
      if (id !== undefined && method === "GET") {
        const known = factory.schematics.get(id);
        return known === undefined ? notFound("schematic not found\n") : json(200, known);
      }
      const [, version] = /^\/version\/([^/]+)\/extensions\/official$/.exec(path) ?? [];
      if (version !== undefined && method === "GET") {
        if (!factory.versions.has(version)) return notFound(`version ${version} not found\n`);
        return json(
          200,
          extensions.map((name) => ({
            name,
            ref: `ghcr.io/${name}:${version}`,
            digest: `sha256:${"0".repeat(64)}`,
            author: "",
            description: "",
          })),
        );
      }
      if (path.startsWith("/image/") && (method === "GET" || method === "HEAD")) return image(factory, path);
      return notFound();
    },
  };
  return factory;
}

function post(factory: ImageFactory, request: UpstreamRequest): UpstreamAnswer {
  try {
    const schematic = readSchematic(request.body);
    const id = schematicId(schematic);
    factory.schematics.set(id, schematic);
    return json(201, { id: factory.answerId ?? id, schematic });
  } catch (error) {
    return {
      status: 400,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: `${error instanceof Error ? error.message : String(error)}\n`,
    };
  }
}

function image(factory: ImageFactory, path: string): UpstreamAnswer {
  const [, schematic = "", version = "", name = ""] = /^\/image\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const parsed = imageName.exec(name);
  if (parsed === null) return { status: 400, body: `invalid profile ${name}\n` };
  if (parsed[5] !== undefined)
    return {
      status: 402,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "checksums and signatures need an Enterprise licence\n",
    };
  if (!factory.schematics.has(schematic)) return notFound(`schematic "${schematic}" not found\n`);
  if (!factory.versions.has(version) || factory.withoutImages.has(version))
    return notFound(`version ${version} is not available\n`);
  const bytes = qcow2(virtualBytes, { os: "talos", version, arch: parsed[2] ?? "", build: schematic });
  return {
    status: 200,
    headers: { "content-type": "application/octet-stream", "content-disposition": `attachment; filename="${name}"` },
    body: bytes,
  };
}

function json(status: number, value: unknown): UpstreamAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
