import { accountProcedure } from "../call.ts";
import * as z from "zod";
import type { Database } from "../../db/statements.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { enqueue } from "../../rpc/jobs/enqueue.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { limitBulkCalls, router } from "../../rpc/procedure.ts";
import { fieldsOf, oneOf } from "../../kernel/validation/inputs.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { line } from "../../kernel/validation/strings.ts";
import { linksPerPart } from "../bulk/selection.ts";
import { authorOf } from "../../history/change.ts";
import { domainOf } from "../accept.ts";
import { importSources, maxImportBytes as maxBytes, maxImportRows as maxRows } from "@terse/importers";
import { looksWrapped, type ReadPart } from "./read-parts.ts";
import type { ImportInput } from "./job.ts";
import { readInThread, unwrapInThread } from "./read.ts";

const content = z.string().min(1, "must not be empty").max(maxBytes, `must have at most ${maxBytes} bytes`);
const more = {
  source: oneOf(importSources)
    .optional()
    .describe(
      "The service that exported the file, usually recognised by its columns. `list`: any other file",
    ),
  domain: line(253)
    .optional()
    .describe(
      "The domain for all links, whatever the file says: the service's own host, or a verified custom domain of the account, which needs the Pro plan. By default, the domain named in the file",
    ),
  columns: z
    .array(line(100))
    .min(1)
    .max(200)
    .transform((names) => names.flatMap((name) => name.split(",").map((each) => each.trim())))
    .optional()
    .describe(
      'Names of the columns in order, for a file without a header or instead of its header; "-" skips one',
    )
    .meta({ examples: [["destination", "slug", "tags"]] }),
  dry_run: z.boolean().default(false).describe("Checks every row and creates nothing"),
};
const fields = fieldsOf({
  content: content.meta({
    description: "The file: CSV, one URL a line, or JSON",
    examples: ["url,title\r\nhttps://example.com/,An example\r\n"],
  }),
  ...more,
});

const started = jobStarted.extend({
  not_taken: z
    .array(z.string())
    .describe("Columns of the file, or members of its JSON, that are ignored")
    .meta({ examples: [["Leads", "Revenue"]] }),
  refused: z
    .int()
    .min(0)
    .describe("Rows already refused because of their contents; the result file says why"),
});

const partsPerStatement = 20;

const createImport = accountProcedure
  .meta({
    scope: "links:write",
    permission: "imports",
    route: "POST /v1/imports",
    tag: "Jobs",
    summary: "Import links",
    description:
      "Takes an export of another service, or a list of URLs, as the body. A job creates the links as fast as the plan's creation limit allows. Its result file lists each row's short URL, or why it has none.",
    example: { content: "url,title\r\nhttps://example.com/,An example\r\n", dry_run: true },
    file: {
      types: [
        "text/csv",
        "text/plain",
        "text/tab-separated-values",
        "application/json",
        "application/x-ndjson",
      ],
      field: "content",
      maxBytes,
      isText: true,
    },
    successDescription: "The job that creates the links, and what it ignores",
    successStatus: 202,
    errors: [429],
  })
  .use(limitBulkCalls)
  .input(fields)
  .output(started)
  .mutation(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const { content: text, source, domain, columns, dry_run } = await unwrapped(account.id, input);
    const { custom } = await domainOf(ctx, domain);
    const { links } = deps.plans[account.plan].limits;
    const { parts, notTaken, refused } = await readInThread(account.id, {
      content: text,
      source,
      domain: domain === undefined ? undefined : (custom ?? deps.shortHost.host),
      columns,
      ownHost: deps.shortHost.host,
      maxRows: Math.min(maxRows, links ?? maxRows),
      rowsPerPart: linksPerPart,
    });
    const bytes = parts.reduce((sum, { items }) => sum + Buffer.byteLength(items), 0);
    const not_taken = [...notTaken];
    return deps.storage.reserve(ctx.actor, { links: 0, bytes }, () =>
      inIdempotentTransaction(ctx, async (database) => {
        const imported: ImportInput = { dry_run, by: authorOf(ctx.actor), not_taken };
        const job = {
          accountId: account.id,
          actor: ctx.actor,
          permission: "imports",
          kind: "links.import",
          input: imported,
          counts: { refused },
        } as const;
        const job_id = await enqueue(deps, database, job, (id) => addParts(database, id, parts));
        return { job_id, not_taken, refused };
      }),
    );
  });

/** A body `{"content": "…", "source": …}` in JSON is these fields, and not a file. */
async function unwrapped(
  accountId: string,
  input: z.output<typeof fields>,
): Promise<z.output<typeof fields>> {
  const sent = looksWrapped(input.content) ? await unwrapInThread(accountId, input.content) : null;
  if (sent === null) return input;
  const { content: _, ...beside } = input;
  return parseOr400(fields, { ...beside, ...sent });
}

async function addParts(database: Database, jobId: string, parts: readonly ReadPart[]): Promise<void> {
  for (let first = 0; first < parts.length; first += partsPerStatement) {
    const some = parts.slice(first, first + partsPerStatement);
    await database.query(
      `insert into job_parts (job_id, number, size, items)
       select $1, $2 + number - 1, size, items::json
       from unnest($3::int[], $4::text[]) with ordinality as part (size, items, number)`,
      [jobId, first, some.map(({ size }) => size), some.map(({ items }) => items)],
    );
  }
}

export const importsRouter = router({
  create: createImport,
});
