import { t as rollback } from "./rollback.mjs";

export { rollback };