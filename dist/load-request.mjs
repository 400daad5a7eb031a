import { a as parsePlanRequests, i as parseCreateRequest, r as createSchema } from "./core.mjs";

export { parseCreateRequest };