import { n as require_agent } from "./undici.mjs";

export default require_agent();

export {  };