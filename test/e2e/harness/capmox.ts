/** A row of `GET /cluster/resources?type=vm`. */
export interface ResourceRow {
  vmid: number;
  template?: number;
  tags?: string;
}

/**
 * How Cluster API's Proxmox provider finds a template (goproxmox/api_client.go, FindVMTemplateByTags, policy `exact`): over
 * the whole cluster, by set equality of lower-cased tags. Anything but one match is an error there.
 */
export function findTemplates(rows: readonly ResourceRow[], tags: readonly string[]): number[] {
  const wanted = new Set(tags.map((tag) => tag.trim().toLowerCase()));
  return rows
    .filter(({ template, tags: own }) => {
      if (template !== 1 || !own) return false;
      const carried = new Set(own.split(";").map((tag) => tag.trim().toLowerCase()));
      return carried.size === wanted.size && [...wanted].every((tag) => carried.has(tag));
    })
    .map(({ vmid }) => vmid);
}
