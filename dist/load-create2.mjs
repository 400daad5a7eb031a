import { t as prepare } from "./action.mjs";

export { prepare };