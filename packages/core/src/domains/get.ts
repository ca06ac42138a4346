import { accountProcedure } from "./call.ts";
import { byId } from "../kernel/validation/ids.ts";
import { registrableOf } from "./domain-name.ts";
import { domainDetailsSchema } from "./domain.schema.ts";
import { toDomain } from "./domain.view.ts";
import { findDomain } from "./find.ts";
import { nameServersOf } from "./name-servers.ts";

/** Returns a domain with its name servers and the number of its links. Takes at most 3.5 seconds, as `verify` does. */
export const getDomain = accountProcedure
  .meta({
    scope: "domains",
    openapi: {
      method: "GET",
      path: "/v1/domains/{id}",
      tags: ["Domains"],
      summary: "Get a custom domain",
      description:
        "Looks up the name servers, which counts as a verification: at most sixty a minute together. It does not verify the domain.",
      successDescription: "The domain, its name servers, and how many links it has",
      errors: [404, 429],
    },
  })
  .input(byId)
  .output(domainDetailsSchema)
  .query(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const row = await findDomain(ctx, account.id, input.id);
    await deps.limits.take("domain-verification", account.id, ctx.reply);
    const zone = registrableOf(row.domain) ?? row.domain;
    const [domain, name_servers, { rows }] = await Promise.all([
      toDomain(deps, row),
      nameServersOf(deps.dns, row.domain, zone),
      deps.pool.query<{ links: number }>(
        "select count(*)::int as links from links where domain_id = $1 and account_id = $2",
        [row.id, account.id],
      ),
    ]);
    return { ...domain, zone, name_servers, links: rows[0]?.links ?? 0 };
  });
