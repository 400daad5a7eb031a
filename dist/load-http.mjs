import { Y as proxyFor, Z as shownUrl } from "./core.mjs";
import { t as createHttp } from "./http.mjs";

export { createHttp, proxyFor, shownUrl };