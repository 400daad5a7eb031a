import { a as parseSweepRequest, i as parseRollbackRequest, n as parseListRequest, o as parseVerifyRequest, r as parsePruneRequest, t as parseDeleteRequest } from "./upkeep-requests.mjs";

export { parseDeleteRequest, parseListRequest, parsePruneRequest, parseRollbackRequest };