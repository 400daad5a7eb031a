import type { Recording } from "./replay.ts";
import type { Stage } from "./stage.ts";

const LIMITED = "limited@pve!tok";

/** What people did between the recorded calls, by the name of the call that came next. */
export const UNRECORDED: Record<string, (stage: Stage, next: Recording) => unknown> = {
  "auth-wrong-token-secret": (stage) =>
    (stage.replay.headers = { authorization: "PVEAPIToken=root@pam!kubehenge=00000000-0000-0000-0000-000000000000" }),
  "auth-unknown-token": (stage) =>
    (stage.replay.headers = { authorization: "PVEAPIToken=root@pam!nosuch=00000000-0000-0000-0000-000000000000" }),
  "auth-unknown-user": (stage) =>
    (stage.replay.headers = { authorization: "PVEAPIToken=nobody@pve!tok=00000000-0000-0000-0000-000000000000" }),
  "auth-malformed-token": (stage) => (stage.replay.headers = { authorization: "PVEAPIToken=garbage" }),
  "auth-malformed-token-colon": (stage) =>
    (stage.replay.headers = { authorization: `PVEAPIToken=${stage.pve.token.replace("=", ":")}` }),
  "auth-header-space-instead-of-equals": (stage) =>
    (stage.replay.headers = { authorization: `PVEAPIToken ${stage.pve.token}` }),
  "auth-bearer": (stage) => (stage.replay.headers = { authorization: `Bearer ${stage.pve.token}` }),
  "auth-none": (stage) => (stage.replay.headers = {}),
  "user-create-with-password-by-root-token": (stage) => stage.useRoot(),
  "ticket-wrong-password": (stage) => (stage.replay.headers = {}),
  "ticket-get": (stage) => stage.useTicket(stage.world.signIn.issue("lab@pve", "labpassword"), false),
  "ticket-post-with-csrf-no-privilege": (stage) =>
    stage.useTicket(stage.world.signIn.issue("lab@pve", "labpassword"), true),
  "ticket-invalid": (stage) => (stage.replay.headers = { cookie: "PVEAuthCookie=PVE:lab@pve:00000000::nonsense" }),
  "pool-create": (stage) => stage.useRoot(),
  "download-same-name-while-running.task-status": (stage) => stage.upstream.release(),
  "resources-vm-right-after-create": (stage) => stage.world.statistics.refresh(),
  "pool-with-member": (stage) => stage.world.statistics.refresh(),
  "create-import-not-an-image": (stage) =>
    stage.world.addVolume({ storage: "local", name: "import/textfile.qcow2", bytes: Buffer.from("junk\n") }),
  stop: (stage) => stage.asRoot("POST", "/nodes/pve1/qemu/100/status/start"),
  "resources-vm-stopped-after-pvestatd-cycle": (stage) => stage.world.statistics.refresh(),
  "locked-create-config": (stage) => stage.world.vms.get(100)?.config.set("lock", "create"),
  "locked-backup-config": (stage) => stage.world.vms.get(100)?.config.set("lock", "backup"),
  "locked-clone-config": (stage) => stage.world.vms.get(100)?.config.set("lock", "clone"),
  "config-put-protection": (stage) => stage.world.vms.get(100)?.config.delete("lock"),
  // It was found by a later listing that the template had been put back by hand.
  "clone-full": (stage) => stage.world.vms.get(100)?.config.set("template", "1"),
  "create-then-abort": (stage) => {
    stage.addGuestImage("guest.qcow2");
    stage.world.tasks.durations.qmcreate = 300_000;
  },
  // The import was done before the stop arrived.
  "create-then-abort-stop": async (stage) => {
    await stage.pve.settle();
    stage.world.tasks.durations.qmcreate = 1;
  },
  "delete-iso-volume": (stage) => stage.forget(100),
  "boot.create-aborted": (stage) => {
    stage.addGuestImage("agent.qcow2");
    stage.addIso("agent.iso");
    stage.world.tasks.durations.qmcreate = 3_600_000;
  },
  "boot.create": (stage) => (stage.world.tasks.durations.qmcreate = 1),
  "boot.agent-ping-up": (stage) => stage.agentUp(100),
  "acl.role-create": (stage) => {
    stage.world.access.users.set("auto@pve", { id: "auto@pve", enabled: true });
    stage.world.access.acl = [{ path: "/", who: "auto@pve", role: "Administrator", propagate: true }];
  },
  "limited.content": async (stage) => {
    stage.addPool("lim");
    await stage.forget(100);
    const scsi0 = "shared-storage:0,import-from=local:import/tiny.qcow2";
    await stage.asRoot("POST", "/nodes/pve1/qemu", { vmid: 100, name: "other", scsi0 });
    stage.world.statistics.refresh();
    for (const volume of stage.world.volumes) {
      if (
        volume.storage === "local" &&
        ["import/redir.qcow2", "import/upper.qcow2", "import/x.raw", "import/up.qcow2"].includes(volume.name)
      ) {
        stage.world.volumes.remove(volume);
      }
    }
  },
  "limited.task-status-of-other": (stage, next) => {
    const recorded = /(UPID:[^/]+)/.exec(next.path)?.[1] ?? "";
    const own = stage.world.tasks.all.findLast((task) => task.kind === "qmcreate" && task.id === "100");
    stage.replay.knowTask(recorded, own?.upid ?? "");
  },
  "limited.create-in-pool-with-tags": (stage) => {
    for (const who of [LIMITED, "limited@pve"]) stage.world.access.modifyAcl("/pool/lim", who, "LabRole", true, false);
  },
  "limited.user-disabled": (stage) =>
    void ((stage.world.access.users.get("limited@pve") ?? { enabled: true }).enabled = false),
  "limited.token-expired": (stage) => {
    (stage.world.access.users.get("limited@pve") ?? { enabled: true }).enabled = true;
    (stage.world.access.tokens.get(LIMITED) ?? { expire: 0 }).expire = 1;
  },
  "poweroff.create": async (stage) => {
    await stage.forget(101);
    stage.addIso("poweroff.iso");
  },
  "poweroff.status-2": (stage) => stage.guests.get(100)?.poweredOff(),
  "poweroff.resources": (stage) => stage.world.statistics.refresh(),
  "marker.status-current-with-blockstat": async (stage) => {
    stage.addIso("seed.iso");
    await stage.asRoot("POST", "/nodes/pve1/qemu", {
      vmid: 9100,
      name: "marker",
      agent: 1,
      memory: 1024,
      cores: 2,
      serial0: "socket",
      vga: "serial0",
      net0: "virtio,bridge=vmbr0",
      ide2: "local:iso/seed.iso,media=cdrom",
      boot: "order=scsi0",
      scsi0: "shared-storage:0,import-from=local:import/agent.qcow2",
      scsi1: "shared-storage:0.01",
    });
    await stage.asRoot("POST", "/nodes/pve1/qemu/9100/status/start");
    stage.guests.get(9100)?.wroteSector("scsi1", 7);
  },
  "marker.create": async (stage) => {
    await stage.forget(9100);
    await stage.forget(100);
    stage.addPool("mk");
  },
  "marker.clone-put-ide0-and-boot": (stage) => {
    for (const volume of stage.world.volumes) if (volume.name === "iso/agent.iso") stage.world.volumes.remove(volume);
  },
  "session.ticket": (stage) => {
    stage.world.access.users.set("adm@pve", { id: "adm@pve", enabled: true, password: "(password or ticket)" });
    stage.world.access.modifyAcl("/", "adm@pve", "Administrator", true, false);
  },
  "session.post-pool-with-csrf": (stage) =>
    stage.useTicket(stage.world.signIn.issue("adm@pve", "(password or ticket)"), true),
  "session.post-pool-without-csrf": (stage) =>
    stage.useTicket(stage.world.signIn.issue("adm@pve", "(password or ticket)"), false),
};

/** Who asks, where a name tells it by its beginning. */
export function takeRole(stage: Stage, next: Recording): void {
  if (/^(acl|http|poweroff|marker|boot)\./.test(next.name)) stage.useRoot();
  // Whether the VM was gone was looked up by root: the token could not have seen it.
  if (next.name === "limited.create-in-pool-with-tags-config-after") stage.useRoot();
  else if (next.name.startsWith("limited.")) stage.useToken(LIMITED);
}
