import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../clock.ts";
import { Refusal, unauthorized } from "../refusal.ts";
import type { Access } from "./access.ts";

/** Seconds for which a ticket holds (PVE::AccessControl). */
const LIFETIME = 2 * 60 * 60;
const TOKEN_ID = /^[^\s:/!]+@[A-Za-z][A-Za-z0-9._-]+![A-Za-z][A-Za-z0-9._-]+$/;

export interface Ticket {
  username: string;
  ticket: string;
  CSRFPreventionToken: string;
}

/** Who asks: a user or a token. */
export interface Credentials {
  who: string;
}

/** API tokens and tickets: the two ways to say who one is. */
export class SignIn {
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #key = randomBytes(32);

  constructor(access: Access, clock: Clock) {
    this.#access = access;
    this.#clock = clock;
  }

  /** Takes a password, or a ticket that still holds in its place. */
  issue(username: string, password: string): Ticket {
    const user = this.#access.users.get(username);
    const known = user?.enabled === true;
    const byPassword = known && user.password !== undefined && user.password === password;
    if (!byPassword && !(known && this.#userOfTicket(password) === username)) {
      throw new Refusal(401, "authentication failure");
    }
    const stamp = this.#clock.seconds().toString(16).toUpperCase().padStart(8, "0");
    return {
      username,
      ticket: `PVE:${username}:${stamp}::${this.#mac(`${username}:${stamp}`)}`,
      CSRFPreventionToken: `${stamp}:${this.#mac(`csrf:${stamp}:${username}`)}`,
    };
  }

  #mac(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64");
  }

  #userOfTicket(ticket: string): string | undefined {
    const match = /^PVE:([^:]+):([0-9A-F]{8})::(.+)$/.exec(ticket);
    if (!match) return undefined;
    const [, username = "", stamp = "", mac = ""] = match;
    const age = this.#clock.seconds() - Number.parseInt(stamp, 16);
    if (age < -300 || age > LIFETIME || !equal(mac, this.#mac(`${username}:${stamp}`))) return undefined;
    return username;
  }

  #csrfHolds(token: string | undefined, username: string): boolean {
    const match = /^([0-9A-F]{8}):(.+)$/.exec(token ?? "");
    if (!match) return false;
    const [, stamp = "", mac = ""] = match;
    const age = this.#clock.seconds() - Number.parseInt(stamp, 16);
    return age >= -300 && age <= LIFETIME && equal(mac, this.#mac(`csrf:${stamp}:${username}`));
  }

  /** Finds out who sent this request; throws 401. */
  identify(headers: NodeJS.Dict<string | string[]>, writes: boolean): Credentials {
    const authorization = headers["authorization"];
    if (typeof authorization === "string" && /^PVEAPIToken[= ]/.test(authorization)) {
      return this.#byToken(authorization.slice("PVEAPIToken=".length));
    }
    const cookie = /(?:^|;\s*)PVEAuthCookie=([^;]*)/.exec(String(headers["cookie"] ?? ""))?.[1];
    if (cookie === undefined || cookie === "") throw unauthorized("No ticket");
    const username = this.#userOfTicket(decode(cookie));
    if (username === undefined || !this.#access.isActive(username)) throw unauthorized("Authentication failed!");
    const csrf = headers["csrfpreventiontoken"];
    if (writes && !this.#csrfHolds(typeof csrf === "string" ? csrf : undefined, username)) {
      throw unauthorized("Permission denied - invalid csrf token");
    }
    return { who: username };
  }

  #byToken(text: string): Credentials {
    const [id = "", secret = ""] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    const token = this.#access.tokens.get(id);
    if (!TOKEN_ID.test(id) || !token || !equal(secret, token.secret) || !this.#access.isActive(id)) {
      throw unauthorized("Authentication failed!");
    }
    return { who: id };
  }
}

function equal(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
