/** The build VM's second disk, by which the guest speaks; its name on the bus is `drive-scsi1`. */
export const markerDevice = "scsi1";

/** The marker disk as udev names it in the guest. Never `/dev/sdX`: the order of disks changes from boot to boot. */
export const markerDisk = `/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-${markerDevice}`;

/** What the guest has printed so far, for the guest agent's file-read. On tmpfs: gone with the power. */
export const logPath = "/run/kubehenge/log";

/**
 * What the guest says of itself as JSON, for the guest agent's file-read. It appears when the guest is sealed and synced,
 * so that its presence is a proof where the marker disk cannot be seen.
 */
export const reportPath = "/run/kubehenge/report.json";

/** Where the seed puts scripts and settings. On disk, for a reboot must not lose them; sealing removes it. */
export const buildFolder = "/var/lib/kubehenge-build";
