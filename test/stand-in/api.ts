import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { ROOT_TOKEN, type ProxmoxStandIn } from "./proxmox/index.ts";

/** Parameters of a call; a list becomes as many parameters of that name. */
export type Form = Record<string, string | number | readonly string[]>;

/** Asks the stand-in as root's token, as another program would. @throws Error for any status but 200 */
export async function api(
  { url, certificate, state }: ProxmoxStandIn,
  method: string,
  path: string,
  form: Form = {},
): Promise<unknown> {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    (typeof value === "object" ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  const parameters = new URLSearchParams(pairs).toString();
  const inQuery = method === "GET" || method === "DELETE";
  const body = inQuery ? "" : parameters;
  const request = https.request(`${url}/api2/json${path}${inQuery && parameters ? `?${parameters}` : ""}`, {
    method,
    ca: certificate,
    agent: false,
    checkServerIdentity: () => undefined,
    headers: {
      authorization: `PVEAPIToken=${ROOT_TOKEN.id}=${state.access.tokens.get(ROOT_TOKEN.id)?.secret ?? ""}`,
      ...(inQuery
        ? {}
        : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
    },
  });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200)
    throw new Error(`${method} ${path}: ${response.statusCode} ${response.statusMessage} ${answer}`);
  return (JSON.parse(answer) as { data: unknown }).data;
}

/** A call that starts a task; waits for its end. @throws Error with the task's own words */
export async function apiTask(proxmox: ProxmoxStandIn, method: string, path: string, form?: Form): Promise<void> {
  const upid = String(await api(proxmox, method, path, form));
  const task = proxmox.state.tasks.find(upid);
  await task?.done;
  if (task?.exitstatus !== "OK") throw new Error(`${method} ${path}: ${task?.exitstatus ?? "no such task"}`);
}
