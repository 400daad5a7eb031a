import { n as outputFormat, t as createWork } from "./create.mjs";

export { createWork };