import { t as require_undici } from "./undici.mjs";

export default require_undici();

export {  };