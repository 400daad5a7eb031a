import { t as recoverPublications } from "./recover.mjs";

export { recoverPublications };