import { BlockList, isIP } from "node:net";
import { Failure } from "../failure/failure.ts";
import { parseUrl } from "./url.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

function variable(environment: Environment, name: string): string | undefined {
  // curl's order: the lower-case name wins. An empty value means that there is no proxy.
  return environment[name.toLowerCase()] ?? environment[name];
}

/**
 * The proxy that a request to `url` goes through, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY in either case; undefined: none.
 * NO_PROXY takes host names (subdomains included), `*`, `host:port`, addresses and CIDR ranges.
 * @throws Failure "usage" when the variable does not hold an http or https address.
 */
export function proxyFor(url: URL, environment: Environment): string | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  // A CGI program gets HTTP_PROXY from a request's "Proxy:" header (httpoxy), hence curl's rule; this is none.
  const value = variable(environment, name)?.trim();
  if (value === undefined || value === "" || isExempt(url, variable(environment, "NO_PROXY") ?? "")) return undefined;
  const proxy = parseUrl(value.includes("://") ? value : `http://${value}`);
  if (proxy === undefined || (proxy.protocol !== "http:" && proxy.protocol !== "https:")) {
    throw new Failure("usage", `${name} does not hold an http or https address of a proxy.`, {
      remedy: [`Set ${name}=http://proxy.example.org:3128, or unset it.`],
    });
  }
  return proxy.href;
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (isIP(host) !== 0 && entry.includes("/")) return inRange(entry, host);
  const [, name = entry, wantedPort] = /^([^:]+|\[[^\]]+\]):(\d+)$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const wanted = name.replace(/^\*?\./, "").replace(/^\[(.*)\]$/, "$1");
  return host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`));
}

function inRange(entry: string, host: string): boolean {
  const [network = "", prefix = ""] = entry.split("/");
  const family = isIP(network);
  const bits = Number(prefix);
  if (
    family === 0 ||
    family !== isIP(host) ||
    !Number.isInteger(bits) ||
    bits < 0 ||
    bits > (family === 4 ? 32 : 128)
  ) {
    return false;
  }
  const type = family === 4 ? "ipv4" : "ipv6";
  const ranges = new BlockList();
  ranges.addSubnet(network, bits, type);
  return ranges.check(host, type);
}
