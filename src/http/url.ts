import { Failure } from "../failure/failure.ts";

/** The address, or undefined for what is none. (URL.parse would do it, and Node 20 does not have it.) */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** An address as it may be shown: without userinfo, query and fragment, since mirrors and redirects put secrets there. */
export function shownUrl(url: string | URL): string {
  const parsed = typeof url === "string" ? parseUrl(url) : url;
  if (parsed === undefined) return "an unreadable address";
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}

/**
 * Reads an http or https address and takes the userinfo out of it, as an Authorization header (RFC 7617).
 * @throws Failure "usage" when it is not such an address.
 */
export function splitCredentials(text: string): { url: URL; authorization?: string } {
  const url = parseUrl(text);
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Failure(
      "usage",
      `${url === undefined ? "An upstream address" : shownUrl(url)} is not an http or https address.`,
    );
  }
  if (url.username === "" && url.password === "") return { url };
  const userinfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  return { url, authorization: `Basic ${Buffer.from(userinfo, "utf8").toString("base64")}` };
}
