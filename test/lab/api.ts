import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import type { Lab } from "./world.ts";

export type Form = Record<string, string | number | readonly string[]>;

/** Asks the lab's Proxmox VE as another program would. @throws Error for any status but 200 */
export async function api(lab: Lab, method: string, path: string, form: Form = {}): Promise<unknown> {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    (typeof value === "object" ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  const parameters = new URLSearchParams(pairs).toString();
  const inQuery = method === "GET" || method === "DELETE";
  const body = inQuery ? "" : parameters;
  const request = https.request(`${lab.proxmox.url}/api2/json${path}${inQuery && parameters ? `?${parameters}` : ""}`, {
    method,
    ca: lab.proxmox.certificate,
    agent: false,
    checkServerIdentity: () => undefined,
    headers: {
      authorization: `PVEAPIToken=${lab.proxmox.token}`,
      ...(inQuery
        ? {}
        : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
    },
  });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${answer}`);
  return (JSON.parse(answer) as { data: unknown }).data;
}

/** A call that starts a task; waits for its end. @throws Error with the task's own words */
export async function task(lab: Lab, method: string, path: string, form?: Form): Promise<void> {
  const upid = String(await api(lab, method, path, form));
  const found = lab.proxmox.state.tasks.all.find((one) => one.upid === upid);
  await found?.done;
  if (found?.exitstatus !== "OK") throw new Error(`${method} ${path}: ${found?.exitstatus ?? "no such task"}`);
}
