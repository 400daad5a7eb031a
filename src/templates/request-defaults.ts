/** The one place of defaults; action.yml and the command's help say the same, held by a test. */
export const requestDefaults = {
  pool: "kubehenge-templates",
  "import-storage": "local",
  bridge: "vmbr0",
  timeout: "60",
  parallel: "2",
  "keep-on-failure": "false",
  "dry-run": "false",
  refresh: "never",
  keep: "1",
  "per-node": "false",
  force: "false",
} as const;
