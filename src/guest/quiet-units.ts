/** What may touch apt or keep an identity while the guest is built. Masked in /run, so that no mask is in the template. */
export const quietUnits = [
  "apt-daily.timer",
  "apt-daily.service",
  "apt-daily-upgrade.timer",
  "apt-daily-upgrade.service",
  "unattended-upgrades.service",
  // A device identity that snapd asks from its store in this boot would be shared by all clones.
  "snapd.service",
  "snapd.socket",
  "snapd.seeded.service",
] as const;
