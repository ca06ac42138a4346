import { refused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { keyOfTag } from "../../kernel/text.ts";
import { named, plain } from "../../kernel/validation/strings.ts";

/** Tags of one link, and of one account. */
export const maxTagsOfLink = 20;
export const maxTagsOfAccount = 1000;
const maxLength = 50;

const lengthError = `must have 1 to ${maxLength} characters`;
const length = (text: string) => Array.from(text).length;

/** A tag's name, trimmed and in NFC. */
export const tagInput = z
  .string()
  .superRefine(plain())
  .transform((text) => text.trim().normalize("NFC"))
  .refine((name) => length(name) >= 1, refused("too_short", lengthError, { min: 1 }))
  .refine((name) => length(name) <= maxLength, refused("too_long", lengthError, { max: maxLength }))
  .meta({
    description: `1 to ${maxLength} characters; case-insensitive`,
    examples: ["launch"],
  });

/** The tags of a link: each once, however it is written. */
export const tagsInput = z
  .array(tagInput)
  .max(maxTagsOfLink, `must have at most ${maxTagsOfLink} tags`)
  .transform(distinct);

function distinct(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(keyOfTag(name))) byKey.set(keyOfTag(name), name);
  return [...byKey.values()];
}

/** The order in which a link's tags are shown: by name, upper and lower case alike. */
export const sortedTags = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => {
    const [left, right] = [keyOfTag(a), keyOfTag(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });

const fields = z.object({
  id: z.string(),
  name: z.string(),
  links: z.int().min(0).describe("Number of links with the tag"),
});

/** A tag as its owner sees it. */
export interface Tag extends z.infer<typeof fields> {}
export const tagSchema = named<Tag>("Tag", fields);

export const tagChangeId = z
  .string()
  .nullable()
  .describe("The change of the links, which can be undone; null if none changed, or too many to be recorded");

const renamedFields = fields.extend({ change_id: tagChangeId });

/** A tag with its new name, or the tag it was merged into. */
export interface RenamedTag extends z.infer<typeof renamedFields> {}
export const renamedTagSchema = named<RenamedTag>("RenamedTag", renamedFields);
