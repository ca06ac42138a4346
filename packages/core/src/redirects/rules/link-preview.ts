import { refused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { line } from "../../kernel/validation/strings.ts";
import { urlInput } from "../destination.ts";
import type { LinkPreview } from "../redirects.types.ts";
import { defineOption, json, passed } from "./rule.ts";
import { step } from "./step.ts";

const textOrNull = (max: number) =>
  line(max)
    .transform((typed) => (typed === "" ? null : typed))
    .nullish();

/** Chats and social networks show the link's own preview; people are redirected. */
export const linkPreview = defineOption({
  name: "preview",
  column: "preview",
  type: json<LinkPreview>(),
  input: fieldsOf({
    title: textOrNull(200),
    description: textOrNull(500).describe("Text below the title"),
    image: urlInput.nullish().describe("Absolute http or https URL of an image, best 1200 by 630 pixels"),
  })
    .refine(
      ({ title, description, image }) => (title ?? description ?? image ?? null) !== null,
      refused("required", "must have a title, a description or an image; send null for no preview", {
        fields: ["title", "description", "image"],
      }),
    )
    .describe(
      "What chats and social networks show for the link, instead of its destination's preview; also shown if the link has a password. Needs the Pro plan",
    )
    .nullish(),
  output: z
    .object({
      title: z.string().nullable(),
      description: z.string().nullable().describe("Text below the title"),
      image: z.string().nullable(),
    })
    .nullable(),
  toValue: ({ title = null, description = null, image = null }) => ({ title, description, image }),
  toOutput: (preview) => preview,
  // An input may leave out the image.
  urlsIn: ({ image }) => (image == null ? [] : [["preview.image", image]]),
  urlsAreShown: true,
  decidesAtOnce: true,
  decide: (preview, { link_id, visitor }) =>
    visitor.isLinkPreview?.() ? { kind: "link_preview", link_id, preview } : passed,
  explain: (_, verdict) =>
    verdict.kind === "passed"
      ? step("preview_unused", "Its own preview is shown to chats and social networks only.")
      : step("preview", "A chat or social network asks, and gets the link's own preview."),
});
