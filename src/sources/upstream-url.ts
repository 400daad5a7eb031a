import { Failure } from "../failure/failure.ts";

/**
 * The address of an upstream, as given by hand or the default, without the slashes at its end.
 * @throws Failure "usage" when it is no http or https address, or holds what must not be in it
 */
export function upstreamUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Failure("usage", `${option} is not an http or https address.`, {
      remedy: [`Give it as ${option}=https://mirror.example.org/path.`],
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new Failure("usage", `${option} must end before any "?" or "#": paths are put to its end.`);
  }
  return url.href.replace(/\/+$/, "");
}

/**
 * As `upstreamUrl`, for an address that leaves this machine: Proxmox VE writes it into a task's log, apt into the template.
 * @throws Failure "usage" also when it holds a user name or password
 */
export function publicUpstreamUrl(text: string, option: string): string {
  const address = upstreamUrl(text, option);
  const { username, password } = new URL(address);
  if (username === "" && password === "") return address;
  throw new Failure(
    "usage",
    `${option} must not hold a user name or password: Proxmox VE and the template get this address, and keep it.`,
    {
      remedy: [
        "Use a mirror that the node and the guest may read without credentials; signatures prove what it serves.",
      ],
    },
  );
}
