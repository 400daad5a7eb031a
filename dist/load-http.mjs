import { Et as shownUrl, wt as proxyFor } from "./core.mjs";
import { t as createHttp } from "./http.mjs";

export { createHttp, proxyFor, shownUrl };