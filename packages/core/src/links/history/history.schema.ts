import * as z from "zod";
import { named, timestamp } from "../../kernel/validation/strings.ts";
import { authorKinds } from "../../kernel/context.ts";

const changeActions = ["create", "update", "delete", "restore", "disable", "enable", "transfer"] as const;

const fields = z.object({
  id: z.string().describe("Id of the change; a creation has the id of its link"),
  at: timestamp.describe("When it was changed"),
  by: z
    .object({
      kind: z
        .enum(authorKinds)
        .describe("`admin` is the operator of the service; `system` another program, or unknown"),
      name: z.string().nullable().describe("Name of the API key or person at the time"),
    })
    .describe("Who did it"),
  action: z
    .enum(changeActions)
    .describe(
      "`restore` brought a deleted link back; `disable` and `enable` are the operator's; `transfer` moved links between workspaces, whose ids are in `fields`",
    ),
  link_id: z.string().nullable().describe("Id of the link; null for a change of many links"),
  slug: z.string().nullable().describe("The link's current or last slug; null for a change of many links"),
  links: z.int().min(0).describe("How many links it changed"),
  fields: z
    .record(
      z.string(),
      z.object({
        from: z.unknown().describe("Null if the link did not exist; a password is `***`"),
        to: z.unknown().describe("Null if the link no longer exists; a password is `***`"),
      }),
    )
    .describe(
      "The old and new value of each changed field; for a change of many links, those of one of them",
    ),
  undoes: z.string().nullable().describe("The change that this one undid"),
  undone_by: z.string().nullable().describe("The change that undid this one, unless it was undone as well"),
});

/** A change of one link or of many. */
export interface LinkChange extends z.infer<typeof fields> {}
export const changeSchema = named<LinkChange>("LinkChange", fields);
