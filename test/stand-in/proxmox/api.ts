import { checkPermission } from "./access/check.ts";
import { Answer, type Call, type Handler, type Routes, type UploadedFile } from "./call.ts";
import { Refusal } from "./refusal.ts";
import { PROPERTY_FORMATS, SCHEMA, type MethodSpec } from "./schema/schema.ts";
import { validate } from "./schema/validate.ts";
import type { World } from "./world.ts";

interface Route {
  pattern: RegExp;
  names: string[];
  template: string;
  methods: Record<string, { spec: MethodSpec; handler: Handler }>;
}

export interface FoundRoute {
  spec: MethodSpec;
  handler: Handler;
  pathParams: Record<string, string>;
}

/** The calls of the API: finds who answers a path, checks permission and parameters, and carries out. */
export class Api {
  readonly #world: World;
  readonly #routes: Route[] = [];

  constructor(world: World, tables: readonly Routes[]) {
    this.#world = world;
    for (const [key, handler] of tables.flatMap((table) => Object.entries(table))) {
      const [method = "", template = ""] = key.split(" ");
      const spec = SCHEMA.get(template)?.[method];
      if (!spec) throw new Error(`no schema for ${key}`);
      let route = this.#routes.find((known) => known.template === template);
      if (!route) this.#routes.push((route = { ...compile(template), template, methods: {} }));
      route.methods[method] = { spec, handler };
    }
    // Fixed segments go before parameters: `/storage/{storage}/content` is no volume.
    this.#routes.sort((a, b) => a.names.length - b.names.length);
  }

  /** Finds the call; throws 501 as the API does for every path and method that it does not know. */
  find(method: string, path: string): FoundRoute {
    for (const route of this.#routes) {
      const match = route.pattern.exec(path);
      const found = match ? route.methods[method] : undefined;
      if (!match || !found) continue;
      const pathParams = Object.fromEntries(route.names.map((name, i) => [name, match[i + 1] ?? ""]));
      return { ...found, pathParams };
    }
    throw new Refusal(501, `Method '${method} ${path}' not implemented`);
  }

  /** Throws 403 when the caller may not. Comes before the parameters are checked, as in Proxmox VE. */
  permit(route: FoundRoute, who: string, params: Record<string, unknown>): void {
    const check = route.spec.permissions?.check;
    if (check) checkPermission(this.#world.access, who, forVersion(check, this.#world), params);
  }

  /** A permitted call with its parameters checked. */
  callOf(route: FoundRoute, who: string, params: Record<string, unknown>, upload: UploadedFile | undefined): Call {
    const node = route.pathParams["node"];
    if (node !== undefined) this.#world.checkNode(node);
    const checked = validate(route.spec.parameters, PROPERTY_FORMATS, params);
    return { world: this.#world, who, params: checked, node: node ?? "", upload };
  }

  /** Carries a permitted call out; gives what the body's `data` and its companions are. */
  async carryOut(
    route: FoundRoute,
    who: string,
    params: Record<string, unknown>,
    upload: UploadedFile | undefined,
  ): Promise<Record<string, unknown>> {
    const result = await route.handler(this.callOf(route, who, params, upload));
    return result instanceof Answer ? { data: result.data ?? null, ...result.extra } : { data: result ?? null };
  }
}

function compile(template: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const source = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    names.push(name);
    return name === "volume" ? "(.+)" : "([^/]+)";
  });
  return { pattern: new RegExp(`^${source}$`), names };
}

/** 8.x has one privilege for all agent calls. */
function forVersion(check: readonly [string, ...unknown[]], world: World): readonly [string, ...unknown[]] {
  if (world.atLeast(9, 0) || !JSON.stringify(check).includes("VM.GuestAgent.")) return check;
  return ["perm", "/vms/{vmid}", ["VM.Monitor"]];
}
