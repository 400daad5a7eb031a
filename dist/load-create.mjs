import { m as planAll, p as createTemplates } from "./core.mjs";

export { createTemplates };