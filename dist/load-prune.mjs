import { t as pruneTemplates } from "./prune.mjs";

export { pruneTemplates };