import * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";
import type { Clock } from "../time/clock.ts";
import type { Answer, Exchange } from "./transport.ts";

/** How a client proves who it is. */
export type Authentication =
  /** `USER@REALM!TOKENID=SECRET` */
  | { kind: "token"; token: string }
  /** A person's session: opened with the password, or with a ticket that is there already. */
  | { kind: "session"; user: string; password: string }
  | { kind: "session"; user: string; ticket: string; csrfToken: string };

/** The part that may be shown: `USER@REALM!TOKENID`, or the user of a session. */
export function identityOf(authentication: Authentication): string {
  return authentication.kind === "token"
    ? authentication.token.slice(0, authentication.token.indexOf("="))
    : authentication.user;
}

/** Gives the headers that a call needs; a session is opened when the first one asks. */
export interface Authenticator {
  headers(method: string): Promise<Record<string, string>>;
}

interface Ticket {
  ticket: string;
  csrfToken: string;
  /** Milliseconds since the epoch. */
  since: number;
}

// A ticket ends after 2 h; it is renewed by giving it as the password, so a run may be longer than that.
const renewAfterMs = 60 * 60_000;

const ticketSchema = () =>
  z.object({
    data: z.object({
      username: z.string(),
      ticket: z.string(),
      CSRFPreventionToken: z.optional(z.string()),
      NeedTFA: z.optional(z.coerce.number()),
    }),
  });

/** @param send one exchange with Proxmox VE, without authentication */
export function authenticate(
  authentication: Authentication,
  clock: Clock,
  send: (exchange: Exchange) => Promise<Answer>,
): Authenticator {
  if (authentication.kind === "token") {
    const headers = { authorization: `PVEAPIToken=${authentication.token}` };
    return { headers: async () => headers };
  }
  let opening: Promise<Ticket> | undefined;
  const current = async (): Promise<Ticket> => {
    opening ??=
      "ticket" in authentication
        ? Promise.resolve({ ticket: authentication.ticket, csrfToken: authentication.csrfToken, since: clock.now() })
        : login(authentication.user, authentication.password);
    const held = await opening;
    if (clock.now() - held.since < renewAfterMs) return held;
    opening = login(authentication.user, held.ticket);
    return await opening;
  };
  const login = async (user: string, password: string): Promise<Ticket> => {
    const since = clock.now();
    const body = Buffer.from(new URLSearchParams({ username: user, password }).toString());
    const answer = await send({
      method: "POST",
      path: "/api2/json/access/ticket",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    if (answer.status !== 200) {
      throw new Failure("access", `Proxmox VE does not let ${user} in: ${answer.status} ${answer.reason}`, {
        remedy: ["check user, realm (USER@REALM) and password; a session ends after 2 h without renewal"],
      });
    }
    const { data } = ticketSchema().parse(JSON.parse(answer.text), inEnglish);
    if (data.NeedTFA || !data.CSRFPreventionToken) {
      throw new Failure("access", `Proxmox VE asks ${user} for a second factor, which cannot be given here`, {
        remedy: ["use an API token: tokens need no second factor"],
      });
    }
    return { ticket: data.ticket, csrfToken: data.CSRFPreventionToken, since };
  };
  return {
    async headers(method) {
      const { ticket, csrfToken } = await current();
      return {
        cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
        ...(method === "GET" ? {} : { csrfpreventiontoken: csrfToken }),
      };
    },
  };
}
