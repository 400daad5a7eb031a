import type { Call, Routes } from "../call.ts";
import { agentRoutes } from "./agent.ts";
import { clone } from "./clone.ts";
import { consoles } from "./console.ts";
import { create } from "./create.ts";
import { destroy } from "./destroy.ts";
import { drivesOf, isCdrom } from "./disks.ts";
import { power } from "./power.ts";
import { resize } from "./resize.ts";
import { current, list } from "./status.ts";
import { template } from "./template.ts";
import { update } from "./update.ts";
import { typedConfig } from "./vm.ts";

/** `GET config`: with what waits for the next start put in, but with `current=1`. */
function config({ world, node, params }: Call): unknown {
  const vm = world.vm(params.int("vmid") ?? 0, node);
  return { ...typedConfig(params.flag("current") ? vm.config : vm.merged()), digest: vm.digest };
}

function pending({ world, node, params }: Call): unknown[] {
  const vm = world.vm(params.int("vmid") ?? 0, node);
  const typed = typedConfig(vm.config);
  const waiting = typedConfig(vm.merged());
  const rows = Object.entries(typed).map(([key, value]) => {
    const change = vm.pending.get(key);
    if (change === undefined) return { key, value };
    return change === null ? { key, value, delete: 1 } : { key, value, pending: waiting[key] };
  });
  const added = [...vm.pending.keys()].filter((key) => typed[key] === undefined);
  return [...rows, ...added.map((key) => ({ key, pending: waiting[key] })), { key: "digest", value: vm.digest }];
}

/** Whether a VM can be cloned, copied or have snapshots. */
function feature({ world, node, params }: Call): unknown {
  const vm = world.vm(params.int("vmid") ?? 0, node);
  const disks = drivesOf(vm.config).filter(({ drive }) => !isCdrom(drive));
  const everywhere = disks.every(({ volume }) => world.storages.get(volume.slice(0, volume.indexOf(":")))?.shared);
  const hasFeature =
    params.need("feature") !== "clone" || disks.every(({ volume }) => /(^|[:/])base-[^/]*$/.test(volume));
  return { hasFeature: hasFeature ? 1 : 0, nodes: everywhere ? [...world.nodes.keys()] : [node] };
}

const AT = "/nodes/{node}/qemu/{vmid}";

export const vmRoutes: Routes = {
  "GET /nodes/{node}/qemu": list,
  "POST /nodes/{node}/qemu": create,
  [`DELETE ${AT}`]: destroy,
  [`GET ${AT}/config`]: config,
  [`PUT ${AT}/config`]: update.put,
  [`POST ${AT}/config`]: update.post,
  [`GET ${AT}/pending`]: pending,
  [`GET ${AT}/feature`]: feature,
  [`PUT ${AT}/resize`]: resize,
  [`GET ${AT}/status/current`]: current,
  [`POST ${AT}/status/start`]: power.start,
  [`POST ${AT}/status/stop`]: power.stop,
  [`POST ${AT}/status/shutdown`]: power.shutdown,
  [`POST ${AT}/template`]: template,
  [`POST ${AT}/clone`]: clone,
  [`POST ${AT}/termproxy`]: consoles.termproxy,
  [`GET ${AT}/vncwebsocket`]: consoles.vncwebsocket,
  ...agentRoutes,
};
