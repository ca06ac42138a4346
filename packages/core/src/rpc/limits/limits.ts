import type { Redis } from "ioredis";
import type { RateLimitState, Reply } from "../../kernel/context.ts";
import { clientsPerSite } from "../../kernel/addresses.ts";
import { countersOf, limiterOf, minute, refusalOf, takeFrom } from "./counting.ts";
import type { OAuthRequest } from "./limits.types.ts";

interface Limit {
  /** How many are allowed within `seconds` */
  points: number;
  seconds: number;
  /** What is counted, as messages name it */
  what: string;
}

const perMinute = (points: number, what: string): Limit => ({ points, seconds: minute, what });

/**
 * Limits that are the same on every plan. The names are those of the policies that clients see; Redis counts under them. Beside
 * them there are the creations of links (`creation-limit.ts`), passwords (`passwords.ts`)
 * and images (`links/images`).
 */
export const limitTable = {
  // Reading and checking a thousand links takes this process up to a tenth of a second, whether they are created or not.
  bulk: perMinute(120, "bulk operations"),
  // Each look-up asks resolvers up to a dozen questions.
  "domain-verification": perMinute(60, "verifications"),
  // Enough for a form that asks whenever its user stops typing.
  "link-availability": perMinute(120, "questions"),
  "link-explanation": perMinute(120, "questions"),
  "link-what-if": perMinute(120, "questions"),
  // Mail in the name of the service
  invitations: { points: 100, seconds: 86_400, what: "invitations" },
  // A third of the drawing thread's time at the largest size.
  "qr-codes": perMinute(120, "QR codes of this kind"),
  // Codes that a person types are short, so guesses must be few; each registration stores a row, and each document of a client
  // is a request to another host.
  "oauth-authorization": perMinute(60, "requests"),
  "oauth-token": perMinute(120, "requests"),
  "oauth-registration": perMinute(10, "requests"),
  "oauth-device": perMinute(20, "requests"),
  "oauth-user-code": perMinute(10, "requests"),
  "oauth-metadata": perMinute(20, "requests"),
  // A mail for each; ten codes are two mistyped ones of a whole family.
  "email-sign-in": { points: 10, seconds: 600, what: "sign-ins by e-mail" },
  "email-code": { points: 20, seconds: 600, what: "codes" },
  // Each writes a row or checks a signature.
  passkeys: perMinute(60, "requests"),
  "shared-reports": perMinute(60, "shared reports"),
  // Of one token; directories send some 25 a second in their first run.
  scim: perMinute(3000, "requests of a directory"),
  reports: { points: 5, seconds: 3600, what: "reports" },
} as const satisfies Record<string, Limit> & Record<`oauth-${OAuthRequest}`, Limit>;

export type LimitName = keyof typeof limitTable;

export interface Limits {
  /** Counts one call of an account, and puts the state of the limit into the reply. Throws 429 beyond the limit. */
  take(name: LimitName, accountId: string, reply: Reply): Promise<void>;
  /**
   * Counts one request of a client, an address or network, and of its site, which may send ten times as many. Returns the state
   * of the limit that refuses it, or null.
   */
  takeByClient(name: LimitName, client: string): Promise<RateLimitState | null>;
}

/** Counts in Redis for all nodes, or in this process without it. */
export function createLimits(redis: Redis | null): Limits {
  const limiters = new Map(
    Object.entries(limitTable).map(([name, { points, seconds }]) => [
      name,
      {
        byClient: limiterOf(redis, name, points, seconds),
        bySite: limiterOf(redis, `${name}-site`, points * clientsPerSite, seconds),
      },
    ]),
  );
  const limitersOf = (name: LimitName) => limiters.get(name) as NonNullable<ReturnType<typeof limiters.get>>;

  return {
    take: (name, accountId, reply) =>
      takeFrom([[limitersOf(name).byClient, accountId]], reply, {
        policy: name,
        what: limitTable[name].what,
      }),
    takeByClient: (name, client) => refusalOf(countersOf(client, limitersOf(name)), name),
  };
}

/** Counts in this process only, as the time that these limits protect is this process's. */
export const processLimits = createLimits(null);
