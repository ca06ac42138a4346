import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import { type Policy, requireSignUp } from "../../kernel/access.ts";
import { AppError, refusal } from "../../kernel/errors.ts";
import { issue } from "../../kernel/issues.ts";
import { ownerEmail } from "../../kernel/names.ts";
import type { PersonalAccount, Source } from "../../kernel/context.ts";
import { hashToken, isPlausibleToken, newToken } from "../../kernel/secrets.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import type { MailLanguage } from "../../mail/mail.types.ts";
import { queueMail } from "../../mail/queue.ts";
import { tooMany } from "../../rpc/limits/counting.ts";
import { type ActivityDeps, clientOf } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { emailAddress } from "../../kernel/validation/strings.ts";
import type { EmailSignIns } from "./identity.schema.ts";
import { signInByEmail } from "./sign-in.ts";

type Deps = ActivityDeps & Pick<AccountDeps, "policy" | "refusals" | "limits" | "randomBytes">;

const validMinutes = 10;
/** Wrong codes until a request's code is void; its link stays valid. */
const maxTries = 5;
/** Mails to one address, whatever follows a plus sign in it, within 15 minutes; and to all within ten. */
const mailsPerAddress = 5;
const mailsToAll = 300;
/** Codes that all people together may try in an hour: of a million codes, guesses find none. Links still work beyond it. */
const triesOfAll = 200;

const request = z.object({ email: emailAddress });
const sameAddress = "regexp_replace(address, '[+][^@]*@', '@')";

/**
 * Signing in with a link or a code that is sent to an address. All addresses are answered alike, after the same statements: one
 * without an account that would get none has its mail queued as void. The code works only in the browser that asked for it, and
 * its hash cannot be reversed without that browser's secret.
 */
export function createEmailSignIns(deps: Deps, isSet: boolean): EmailSignIns {
  const { pool, clock, newId, randomBytes, refusals, limits } = deps;

  async function takeLimit(name: "email-sign-in" | "email-code", client: string): Promise<void> {
    const refused = await limits.takeByClient(name, client);
    if (refused) throw tooMany(refused, "sign-ins");
  }

  return {
    isSet,
    async request(given, { returnTo, language, source, client }) {
      const { email } = parseOr400(request, given);
      await takeLimit("email-sign-in", client);
      const now = clock();
      const [browser, token] = [newToken(randomBytes), newToken(randomBytes)];
      const code = String(Buffer.from(randomBytes(6)).readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
      const expires_at = new Date(now.getTime() + validMinutes * 60_000);
      await inTransaction(pool, async (database) => {
        await requireRoom(database, email, now);
        await database.query(
          `insert into email_sign_ins
             (id, address, token_hash, code_hash, browser_hash, return_to, language, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [
            newId(),
            email,
            hashToken(token),
            hashCode(browser, code),
            hashToken(browser),
            returnTo,
            language,
            now,
            expires_at,
          ],
        );
        const { id, mayHave, language: known } = await personAt(database, deps.policy, email);
        await queueMail(
          database,
          deps,
          { address: email, language: (language ?? known) as MailLanguage | null, account_id: id },
          { kind: "sign_in", data: { client: clientOf(source).client }, secret: { code, token } },
          { isVoid: !mayHave },
        );
      });
      return { browser, expires_at: expires_at.toISOString() };
    },

    async addressOf(token) {
      if (!isPlausibleToken(token)) return null;
      const { rows } = await pool.query<{ address: string }>(
        "select address from email_sign_ins where token_hash = $1 and used_at is null and expires_at > $2",
        [hashToken(token), clock()],
      );
      return rows[0]?.address ?? null;
    },

    async redeemToken(token, { source, client }) {
      await takeLimit("email-code", client);
      if (!isPlausibleToken(token)) return refuse("The link", source);
      const { rows } = await pool.query<Found>(
        `update email_sign_ins set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2
         returning address, return_to`,
        [hashToken(token), clock()],
      );
      return rows[0] ? signedIn(rows[0], source) : refuse("The link", source);
    },

    async redeemCode({ email, code, browser }, { source, client }) {
      await takeLimit("email-code", client);
      const address = parseOr400(request, { email }).email;
      const now = clock();
      const { rows: sums } = await pool.query<{ tries: number }>(
        "select coalesce(sum(tries), 0)::int as tries from email_sign_ins where created_at > $1::timestamptz - interval '1 hour'",
        [now],
      );
      if ((sums[0]?.tries ?? 0) >= triesOfAll) throw busy();
      // Counted before it is compared, so that parallel guesses are not more than five.
      const { rows } = await pool.query<{ id: string; code_hash: Buffer }>(
        `update email_sign_ins set tries = tries + 1
         where address = $1 and browser_hash = $2 and used_at is null and expires_at > $3 and tries < ${maxTries}
         returning id, code_hash`,
        [address, hashToken(browser.slice(0, 200)), now],
      );
      const typed = hashCode(browser, code.replaceAll(/\s/g, "").slice(0, 20));
      const match = rows.find(({ code_hash }) => timingSafeEqual(code_hash, typed));
      if (!match) return refuse("The code", source);
      const { rows: used } = await pool.query<Found>(
        `update email_sign_ins set used_at = $2, tries = tries - 1 where id = $1 and used_at is null
         returning address, return_to`,
        [match.id, now],
      );
      return used[0] ? signedIn(used[0], source) : refuse("The code", source);
    },
  };

  interface Found {
    address: string;
    return_to: string;
  }

  async function signedIn(
    { address, return_to }: Found,
    source: Source,
  ): Promise<{ account: PersonalAccount; returnTo: string }> {
    const account = await signInByEmail(deps, address, source);
    // Whoever is signed in needs no other link or code.
    await pool.query("update email_sign_ins set used_at = $2 where address = $1 and used_at is null", [
      address,
      clock(),
    ]);
    return { account, returnTo: return_to };
  }

  function refuse(what: "The code" | "The link", source: Source): never {
    refusals.report("sign-in", "e-mail", source);
    const message = `${what} is wrong, was used, or has expired; ask for a new one`;
    throw refusal("FORBIDDEN", "", "forbidden", message, { reason: "wrong_code" });
  }
}

const hashCode = (browser: string, code: string): Buffer => hashToken(`${browser} ${code}`);

/** Throws 429 if the address, or all together, got as many mails as they may. Concurrent requests for one address queue here. */
async function requireRoom(database: Database, email: string, now: Date): Promise<void> {
  const mailbox = email.replace(/\+[^@]*@/, "@");
  await database.query("select pg_advisory_xact_lock(hashtextextended($1, 1))", [mailbox]);
  const { rows } = await database.query<{ own: number; all: number }>(
    `select
       (select count(*) from email_sign_ins
        where ${sameAddress} = $1 and created_at > $2::timestamptz - interval '15 minutes')::int as own,
       (select count(*) from email_sign_ins where created_at > $2::timestamptz - interval '10 minutes')::int as all`,
    [mailbox, now],
  );
  const [{ own, all } = { own: 0, all: 0 }] = rows;
  if (own >= mailsPerAddress || all >= mailsToAll) throw busy();
}

/** The limit of an address, or of all; 15 minutes at most. */
const busy = () => {
  const params = { seconds: 900 };
  const message =
    "Too many sign-ins by e-mail were asked for; try again in 15 minutes, or sign in another way";
  return new AppError("TOO_MANY_REQUESTS", issue("", "rate_limited", message, params), { retryAfter: 900 });
};

/** Whose address it is, and whether a person at it may have an account. */
async function personAt(
  database: Database,
  policy: Policy,
  email: string,
): Promise<{ id: string | null; mayHave: boolean; language: string | null }> {
  const { rows } = await database.query<{ id: string; email_verified: boolean; language: string | null }>(
    "select id, email_verified, language from workspaces where email = $1",
    [email],
  );
  const [owner] = rows;
  const { id = null, language = null } = owner ?? {};
  if (email === ownerEmail || email.endsWith(".invalid")) return { id: null, mayHave: false, language };
  if (owner?.email_verified === true) return { id, mayHave: true, language };
  try {
    requireSignUp(policy, { email, email_verified: true });
    return { id: null, mayHave: true, language };
  } catch {
    return { id: null, mayHave: false, language };
  }
}
