import { n as defaults, t as GitHub } from "./octokit.mjs";

export { GitHub };