import { J as proxyFor, X as shownUrl } from "./core.mjs";
import { t as createHttp } from "./http.mjs";

export { createHttp, proxyFor, shownUrl };