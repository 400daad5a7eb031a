import * as z from "zod/mini";

/**
 * A boolean of Proxmox VE: 1 or 0, as a number or as text.
 * @param absent what it means that there is none
 */
export const flag = (absent: 0 | 1) =>
  z.prefault(
    z.pipe(
      z.coerce.number(),
      z.transform((value) => value !== 0),
    ),
    absent,
  );
