import { un as Failure } from "./core.mjs";

// src/sources/upstream-url.ts
function upstreamUrl(text, option) {
	const url = URL.canParse(text) ? new URL(text) : void 0;
	if (url === void 0 || url.protocol !== "http:" && url.protocol !== "https:") throw new Failure("usage", `${option} is not an http or https address.`, { remedy: [`Give it as ${option}=https://mirror.example.org/path.`] });
	if (url.search !== "" || url.hash !== "") throw new Failure("usage", `${option} must end before any "?" or "#": paths are put to its end.`);
	return url.href.replace(/\/+$/, "");
}
function publicUpstreamUrl(text, option) {
	const address = upstreamUrl(text, option);
	const { username, password } = new URL(address);
	if (username === "" && password === "") return address;
	throw new Failure("usage", `${option} must not hold a user name or password: Proxmox VE and the template get this address, and keep it.`, { remedy: ["Use a mirror that the node and the guest may read without credentials; signatures prove what it serves."] });
}

export { upstreamUrl as n, publicUpstreamUrl as t };