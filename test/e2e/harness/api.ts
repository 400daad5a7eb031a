import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import type { World } from "./world.ts";

/** Asks the stand-in as root's token, as another program would. @throws Error for any status but 200 */
export async function api(
  world: World,
  method: string,
  path: string,
  form: Record<string, string | number> = {},
): Promise<unknown> {
  const parameters = new URLSearchParams(
    Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const inQuery = method === "GET" || method === "DELETE";
  const body = inQuery ? "" : parameters;
  const request = https.request(
    `${world.proxmox.url}/api2/json${path}${inQuery && parameters ? `?${parameters}` : ""}`,
    {
      method,
      ca: world.proxmox.certificate,
      agent: false,
      checkServerIdentity: () => undefined,
      headers: {
        authorization: `PVEAPIToken=${rootToken(world)}`,
        ...(inQuery
          ? {}
          : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
      },
    },
  );
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200)
    throw new Error(`${method} ${path}: ${response.statusCode} ${response.statusMessage}`);
  return (JSON.parse(answer) as { data: unknown }).data;
}

/** Waits for a task of a call made with `api`. */
export async function apiTask(
  world: World,
  method: string,
  path: string,
  form?: Record<string, string | number>,
): Promise<void> {
  const upid = String(await api(world, method, path, form));
  await world.proxmox.settle();
  const task = world.proxmox.state.tasks.all.find((one) => one.upid === upid);
  if (task?.exitstatus !== "OK") throw new Error(`${method} ${path}: ${task?.exitstatus ?? "no such task"}`);
}

function rootToken(world: World): string {
  const id = "root@pam!kubehenge";
  return `${id}=${world.proxmox.state.access.tokens.get(id)?.secret ?? ""}`;
}
