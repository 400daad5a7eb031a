/** The built-in roles of Proxmox VE 9.2, as `GET /access/roles` answers them. */
const ROLES_9: Record<string, string> = {
  Administrator:
    "Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit Group.Allocate Mapping.Audit Mapping.Modify Mapping.Use Permissions.Modify Pool.Allocate Pool.Audit Realm.Allocate Realm.AllocateUser SDN.Allocate SDN.Audit SDN.Use Sys.AccessNetwork Sys.Audit Sys.Console Sys.Incoming Sys.Modify Sys.PowerMgmt Sys.Syslog User.Modify VM.Allocate VM.Audit VM.Backup VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.Console VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.GuestAgent.Unrestricted VM.Migrate VM.PowerMgmt VM.Replicate VM.Snapshot VM.Snapshot.Rollback",
  NoAccess: "",
  PVEAdmin:
    "Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit Group.Allocate Mapping.Audit Mapping.Use Pool.Allocate Pool.Audit Realm.AllocateUser SDN.Allocate SDN.Audit SDN.Use Sys.Audit Sys.Console Sys.Syslog User.Modify VM.Allocate VM.Audit VM.Backup VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.Console VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.GuestAgent.Unrestricted VM.Migrate VM.PowerMgmt VM.Replicate VM.Snapshot VM.Snapshot.Rollback",
  PVEAuditor: "Datastore.Audit Mapping.Audit Pool.Audit SDN.Audit Sys.Audit VM.Audit VM.GuestAgent.Audit",
  PVEDatastoreAdmin: "Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit",
  PVEDatastoreUser: "Datastore.AllocateSpace Datastore.Audit",
  PVEMappingAdmin: "Mapping.Audit Mapping.Modify Mapping.Use",
  PVEMappingUser: "Mapping.Audit Mapping.Use",
  PVEPoolAdmin: "Pool.Allocate Pool.Audit",
  PVEPoolUser: "Pool.Audit",
  PVESDNAdmin: "SDN.Allocate SDN.Audit SDN.Use",
  PVESDNUser: "SDN.Audit SDN.Use",
  PVESysAdmin: "Sys.Audit Sys.Console Sys.Syslog",
  PVETemplateUser: "VM.Audit VM.Clone",
  PVEUserAdmin: "Group.Allocate Realm.AllocateUser User.Modify",
  PVEVMAdmin:
    "VM.Allocate VM.Audit VM.Backup VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.Console VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.GuestAgent.Unrestricted VM.Migrate VM.PowerMgmt VM.Replicate VM.Snapshot VM.Snapshot.Rollback",
  PVEVMUser:
    "VM.Audit VM.Backup VM.Config.CDROM VM.Config.Cloudinit VM.Console VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.PowerMgmt",
};

/** What each privilege-bearing role holds in this version; 8.x has VM.Monitor and no VM.GuestAgent.*, 9.x the reverse. */
export function builtInRoles(version: string): Map<string, Set<string>> {
  const roles = new Map<string, Set<string>>();
  for (const [role, text] of Object.entries(ROLES_9)) {
    let privileges = text.split(" ").filter((privilege) => privilege !== "");
    if (version.startsWith("8.")) {
      const monitor = privileges.includes("VM.GuestAgent.Unrestricted") ? ["VM.Monitor"] : [];
      privileges = privileges.filter((privilege) => !/^VM\.(GuestAgent\.|Replicate$)/.test(privilege)).concat(monitor);
    }
    roles.set(role, new Set(privileges));
  }
  return roles;
}
