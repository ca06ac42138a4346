import { issuesOutput, refused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { tagsInput } from "../tags/tag.schema.ts";
import { filterFields } from "../list/list.schema.ts";

/** Links in one operation */
export const maxBulkLinks = 1000;

/** Enough for a thousand links of ordinary length. In bytes. */
export const maxBulkBytes = 2 * 1024 * 1024;

const links = `1 to ${maxBulkLinks} links`;

export const bulkOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1, `must have ${links}`).max(maxBulkLinks, `must have ${links}`);

const idsInput = bulkOf(z.string()).describe("Identifiers of links");

/** The links of a change: these ids, or those that match a filter of the list */
export const selectionFields = {
  ids: idsInput.optional(),
  filter: fieldsOf(filterFields)
    .optional()
    .describe(
      "Instead of ids: all links that match these filters of the list now; without a condition, all links of the account",
    ),
};

/** One of them, and not both */
export const choice = ["ids", "filter"] as const;
export const requireSelection = <Fields extends z.ZodType<{ ids?: unknown; filter?: unknown }>>(
  fields: Fields,
): Fields =>
  fields.refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ["ids"],
    ...refused("either_of", "send either ids or a filter", { fields: [...choice] }),
  });

/** For the description of the API: well-formed ids that nothing has. */
export const exampleIds = ["01900000-0000-7000-8000-000000000000"];

export const dryRunInput = z.boolean().default(false).describe("Checks everything and changes nothing");

export const retagFields = {
  add_tags: tagsInput.optional().describe("Tags to add; new ones are created"),
  remove_tags: tagsInput.optional().describe("Tags to remove"),
};

const refusedIssues = issuesOutput.optional().describe("The same as `error`, as data: all that is wrong");

/** The result of changing many links. */
export const changedMany = z.object({
  matched: z.int().min(0).describe("How many of the ids are links of the account"),
  changed: z.int().min(0).describe("Links that were changed; with `dry_run`, those that would be"),
  change_id: z.string().nullable().describe("The change, which can be undone; null if nothing was changed"),
  results: z
    .array(
      z.object({
        id: z.string(),
        status: z.int().meta({
          description: "The HTTP status, as if this link alone had been changed",
          examples: [404],
        }),
        error: z.string().meta({ description: "Why the link was not changed", examples: ["Link not found"] }),
        issues: refusedIssues,
      }),
    )
    .describe("The ids that were not changed"),
});
export type ChangedMany = z.output<typeof changedMany>;

/** The outcome for one link of a bulk creation. */
export const createdOrRefused = z.object({
  index: z.int().min(0).describe("Index in `links`, from 0"),
  id: z.string().optional().describe("The new link; if `status` is 409, the account's identical link"),
  slug: z.string().optional().describe("Path part of the short URL"),
  short_url: z
    .string()
    .optional()
    .meta({ description: "Full short URL", examples: ["https://go.example.com/launch"] }),
  status: z
    .int()
    .optional()
    .meta({
      description: "The HTTP status, as if this link alone had been created, if it is an error",
      examples: [400],
    }),
  error: z
    .string()
    .optional()
    .meta({
      description: "Why the link was not created",
      examples: ["slug: is reserved; choose another one"],
    }),
  issues: refusedIssues,
});
export type CreatedOrRefused = z.infer<typeof createdOrRefused>;
