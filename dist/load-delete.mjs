import { t as deleteTemplate } from "./delete.mjs";

export { deleteTemplate };