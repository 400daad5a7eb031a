import { t as listTemplates } from "./list.mjs";

export { listTemplates };