import * as z from "zod";

/** Links in one operation */
export const maxBulkLinks = 1000;

/** Enough for a thousand links of ordinary length. In bytes. */
export const maxBulkBytes = 2 * 1024 * 1024;

const links = `1 to ${maxBulkLinks} links`;

export const bulkOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1, `must have ${links}`).max(maxBulkLinks, `must have ${links}`);

export const idsInput = bulkOf(z.string()).describe("Identifiers of links");

/** For the description of the API: ids of the right form that nothing has. */
export const exampleIds = ["01900000-0000-7000-8000-000000000000"];

export const dryRunInput = z.boolean().default(false).describe("Checks everything and changes nothing");
