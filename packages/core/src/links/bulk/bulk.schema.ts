import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { filterFields } from "../list.schema.ts";

/** Links in one operation */
export const maxBulkLinks = 1000;

/** Enough for a thousand links of ordinary length. In bytes. */
export const maxBulkBytes = 2 * 1024 * 1024;

const links = `1 to ${maxBulkLinks} links`;

export const bulkOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1, `must have ${links}`).max(maxBulkLinks, `must have ${links}`);

const idsInput = bulkOf(z.string()).describe("Identifiers of links");

/** Which links a change is about: these ids, or those that pass a filter of the list */
export const selectionFields = {
  ids: idsInput.optional(),
  filter: fieldsOf(filterFields)
    .optional()
    .describe(
      "Instead of ids: all links that pass the filters of the list now; without a condition, all of the account",
    ),
};

/** One of them, and not both */
export const choice = ["ids", "filter"] as const;
export const requireSelection = <Fields extends z.ZodType<{ ids?: unknown; filter?: unknown }>>(
  fields: Fields,
): Fields =>
  fields.refine(
    ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
    "ids: send either ids or a filter",
  );

/** For the description of the API: ids of the right form that nothing has. */
export const exampleIds = ["01900000-0000-7000-8000-000000000000"];

export const dryRunInput = z.boolean().default(false).describe("Checks everything and changes nothing");
