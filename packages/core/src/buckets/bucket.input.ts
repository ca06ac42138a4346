import * as z from "zod";
import { fieldsOf } from "../validation/inputs.ts";
import { linksPerBucket } from "../kernel/plans.ts";
import { urlInput } from "../redirects/index.ts";
import { line } from "../validation/strings.ts";

/** A heading or title must show something. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;
const label = line(100)
  .min(1, "must not be empty")
  .refine((text) => visible.test(text), "must have a visible character");

export const nameInput = label.describe("Heading of the page");

export const bucketLinksInput = z
  .array(fieldsOf({ title: label.describe("Text of the link"), url: urlInput }))
  .min(1, "must have at least one link")
  .max(linksPerBucket, `must have at most ${linksPerBucket} links`)
  .describe("In the order in which the page shows them");
