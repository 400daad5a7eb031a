import { Answer, type Call, type Routes } from "./call.ts";
import { badParameters } from "./refusal.ts";
import { splitList } from "./schema/formats.ts";
import { userOf } from "./access/access.ts";
import type { Task } from "./tasks.ts";

const UPID = /^UPID:([a-zA-Z0-9-]+):[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8}:[^:\s]+:[^:\s]*:[^:\s]+:$/;

/** `user` and `tokenid` of who started a task. */
function ownerFields(task: Task) {
  const [, tokenid] = task.owner.split("!");
  return { user: userOf(task.owner), ...(tokenid === undefined ? {} : { tokenid }) };
}

/** A user sees the tasks of its tokens; a token sees its own. */
const isOwn = (task: Task, who: string) => task.owner === who || userOf(task.owner) === who;

function requireOwnOr(call: Call, task: Task | undefined, privilege: string): void {
  if (task && isOwn(task, call.who)) return;
  call.world.access.check(call.who, `/nodes/${call.node}`, [privilege]);
}

function taskOfCall({ world, params }: Call): Task | undefined {
  const upid = params.need("upid");
  if (!UPID.test(upid)) throw badParameters({ upid: "unable to parse worker upid" });
  return world.tasks.find(upid);
}

function status(call: Call): unknown {
  const task = taskOfCall(call);
  requireOwnOr(call, task, "Sys.Audit");
  if (!task) throw badParameters({ upid: "no such task" });
  const { upid, node, pid, pstart, starttime, kind: type, id, exitstatus } = task;
  const state = exitstatus === undefined ? { status: "running" } : { status: "stopped", exitstatus };
  return { upid, node, pid, pstart, starttime, type, id, ...ownerFields(task), ...state };
}

function log(call: Call): Answer {
  const task = taskOfCall(call);
  requireOwnOr(call, task, "Sys.Audit");
  const lines = task?.log ?? ["unable to open file - No such file or directory"];
  const start = call.params.int("start") ?? 0;
  const limit = call.params.int("limit") ?? 50;
  const numbered = lines.map((t, index) => ({ n: index + 1, t }));
  return new Answer(limit === 0 ? numbered.slice(start) : numbered.slice(start, start + limit), {
    total: lines.length,
  });
}

function stop(call: Call): void {
  const task = taskOfCall(call);
  requireOwnOr(call, task, "Sys.Modify");
  if (task?.exitstatus === undefined) task?.stop();
}

const isError = (task: Task) => task.exitstatus !== undefined && !/^(OK|WARNINGS: \d+)$/.test(task.exitstatus);

function statusClass(task: Task): string {
  if (task.exitstatus === undefined) return "unknown";
  if (task.exitstatus === "OK") return "ok";
  return task.exitstatus.startsWith("WARNINGS") ? "warning" : "error";
}

/** Newest first, of this node, and only one's own without Sys.Audit. */
function list(call: Call): Answer {
  const { world, who, node, params } = call;
  const source = params.get("source") ?? "archive";
  const all = world.access.has(who, `/nodes/${node}`, "Sys.Audit");
  const vmid = params.get("vmid");
  const statuses = splitList(params.get("statusfilter") ?? "");
  const found = world.tasks.all
    .filter((task) => task.node === node && (all || isOwn(task, who)))
    .filter((task) => source === "all" || (source === "active") === (task.exitstatus === undefined))
    .filter((task) => vmid === undefined || task.id === vmid)
    .filter((task) => !params.flag("errors") || isError(task))
    .filter((task) => params.get("typefilter") === undefined || task.kind === params.get("typefilter"))
    .filter((task) => params.get("userfilter") === undefined || task.owner.includes(params.need("userfilter")))
    .filter(
      (task) => task.starttime >= (params.int("since") ?? 0) && task.starttime <= (params.int("until") ?? Infinity),
    )
    .filter((task) => statuses.length === 0 || statuses.includes(statusClass(task)))
    .reverse();
  const start = params.int("start") ?? 0;
  const page = found.slice(start, start + (params.int("limit") ?? 50));
  // An empty list has no total.
  return new Answer(
    page.map((task) => listRow(task)),
    found.length > 0 ? { total: found.length } : {},
  );
}

function listRow(task: Task): unknown {
  const { upid, node, pid, pstart, starttime, kind: type, id } = task;
  const row = { upid, node, pid, pstart, starttime, type, id };
  // In the list of active tasks the owner is one word.
  if (task.exitstatus === undefined) return { ...row, user: task.owner, status: "RUNNING", saved: "0" };
  return { ...row, ...ownerFields(task), endtime: task.endtime, status: task.exitstatus };
}

function clusterTasks({ world, who }: Call): unknown[] {
  return [...world.tasks.all]
    .reverse()
    .slice(0, 25)
    .filter((task) => isOwn(task, who) || world.access.has(who, `/nodes/${task.node}`, "Sys.Audit"))
    .map((task) => clusterRow(task));
}

function clusterRow(task: Task): unknown {
  const { upid, node, pid, starttime, kind: type, id } = task;
  const row = { upid, node, starttime, type, id, ...ownerFields(task) };
  if (task.exitstatus === undefined) return { ...row, pid };
  return { ...row, saved: "1", endtime: task.endtime, status: task.exitstatus };
}

export const taskRoutes: Routes = {
  "GET /cluster/tasks": clusterTasks,
  "GET /nodes/{node}/tasks": list,
  "GET /nodes/{node}/tasks/{upid}": (call) => (
    requireOwnOr(call, taskOfCall(call), "Sys.Audit"),
    [{ name: "log" }, { name: "status" }]
  ),
  "DELETE /nodes/{node}/tasks/{upid}": stop,
  "GET /nodes/{node}/tasks/{upid}/status": status,
  "GET /nodes/{node}/tasks/{upid}/log": log,
};
