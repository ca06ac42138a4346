import { requires } from "./call.ts";
import * as z from "zod";
import { noFields } from "../kernel/validation/inputs.ts";
import { DomainEntity } from "./domain.entity.ts";
import { domainSchema } from "./domain.schema.ts";
import { toDomain } from "./domain.view.ts";

/** The account's domains, newest first, each with the records to set. */
export const listDomains = requires("custom_domains")
  .meta({
    scope: "domains",
    openapi: {
      method: "GET",
      path: "/v1/domains",
      tags: ["Domains"],
      summary: "List custom domains",
      successDescription: "The account's domains, newest first",
    },
  })
  .input(noFields)
  .output(z.array(domainSchema))
  .query(async ({ ctx }) => {
    const rows = await ctx.em.find(
      DomainEntity,
      { account_id: ctx.account.id, deleted_at: null },
      { orderBy: { created_at: "desc", id: "desc" } },
    );
    return Promise.all(rows.map((row) => toDomain(ctx.deps, row)));
  });
