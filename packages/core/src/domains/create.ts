import { at } from "../kernel/issues.ts";
import * as z from "zod";
import { actorOf, recordActivity } from "../accounts/activity/record.ts";
import { inTransaction } from "../db/connection.ts";
import type { Em } from "../db/em.ts";
import { AppError, refusal } from "../kernel/errors.ts";
import { newToken } from "../kernel/secrets.ts";
import { countOf } from "../kernel/text.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { claim, saveResponse } from "../rpc/idempotency/once.ts";
import { lockAccount } from "../rpc/own-rows.ts";
import { limitCreations } from "../rpc/procedure.ts";
import { type DomainDeps, requires } from "./call.ts";
import { DomainEntity, toDomain } from "./domain.row.ts";
import { domainSchema } from "./domain.schema.ts";
import { maxDomainLength, parseDomainName } from "./domain-name.ts";

const fields = fieldsOf({
  domain: z
    .string()
    .max(1000, `must have at most ${maxDomainLength} characters`)
    .meta({
      description:
        "Host name, such as go.example.com or example.com; international names in Unicode or Punycode",
      examples: ["go.example.com"],
    }),
});

/** Adds a custom domain, which is pending until its DNS records are found. Counts as one creation. */
export const createDomain = requires("custom_domains")
  .meta({
    scope: "domains",
    route: "POST /v1/domains",
    tag: "Domains",
    summary: "Add a custom domain",
    example: { domain: "go.example.com" },
    successDescription: "The domain, and the DNS records that verify it",
    successStatus: 201,
    errors: [409, 429],
  })
  .use(limitCreations)
  .input(fields)
  .output(domainSchema)
  .mutation(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const parsed = parseDomainName(input.domain, deps.ownHosts);
    if (!parsed.ok) throw new AppError("BAD_REQUEST", at("domain", parsed.reason));
    const max = deps.plans[account.plan].limits.custom_domains;
    ctx.charge();
    const row = await inTransaction(ctx, async (database, em) => {
      await claim(ctx, database);
      await lockAccount(database, account.id);
      if ((await em.count(DomainEntity, { account_id: account.id, deleted_at: null })) >= max) {
        const params = { max, resource: "custom_domains", plan: account.plan };
        throw refusal("FORBIDDEN", "", "limit_reached", limitReached(max), params);
      }
      const inserted = await insert(em, deps, account.id, parsed.domain);
      if (!inserted) throw nameTaken(parsed.domain);
      // It may look up addresses, which no transaction should wait for needlessly.
      if (ctx.once) await saveResponse(ctx, database, await toDomain(deps, inserted));
      return inserted;
    });
    await recordActivity(deps, actorOf(ctx), "domain_added", row.domain, { id: row.id });
    return toDomain(deps, row);
  });

/** Restores the row, and so the links, of a name that the account had before, with a new challenge. Null if it is taken. */
async function insert(
  em: Em,
  { clock, newId, randomBytes }: Pick<DomainDeps, "clock" | "newId" | "randomBytes">,
  accountId: string,
  domain: string,
) {
  const now = clock();
  const [stored] = await em.execute<{ id: string }[]>(
    `insert into domains (id, account_id, domain, status, challenge, created_at, checked_at)
     select ?::uuid, ?::uuid, ?, 'pending', ?, ?::timestamptz, ?::timestamptz
     where not exists (select from domains where domain = ? and status = 'verified')
     on conflict (account_id, domain) do update
       set status = excluded.status, challenge = excluded.challenge, created_at = excluded.created_at,
         checked_at = excluded.checked_at, deleted_at = null
       where domains.deleted_at is not null
     returning id`,
    [newId(), accountId, domain, newToken(randomBytes), now, now, domain],
  );
  return stored ? em.findOneOrFail(DomainEntity, { id: stored.id }) : null;
}

const limitReached = (max: number) =>
  `Your plan includes ${countOf(max, "custom domain")}: delete one to add another`;

/** 409 for a name that another account has verified. */
export const nameTaken = (domain: string) =>
  refusal(
    "CONFLICT",
    "domain",
    "domain_taken",
    `another account has verified ${domain}: delete it there first, or choose another name`,
    { domain },
  );
