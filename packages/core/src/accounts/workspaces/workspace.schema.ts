import * as z from "zod";
import { planNames } from "../../kernel/names.ts";
import { roleNames } from "../../kernel/roles.ts";
import { changesOf, fieldsOf } from "../../kernel/validation/inputs.ts";
import { refused } from "../../kernel/validation/issues.ts";
import { emailToAscii } from "../../kernel/host-names.ts";
import { emailAddress, line, named, textLike, timestamp } from "../../kernel/validation/strings.ts";

/** How a person became a member. */
export const joinedVia = ["creation", "invitation", "domain", "group", "scim"] as const;
export type JoinedVia = (typeof joinedVia)[number];

/** Roles that a member can be given; ownership is transferred. */
const givenRole = z.enum(roleNames).exclude(["owner"]);

const role = z.enum(roleNames).describe("The caller's role in it");

const workspaceFields = z.object({
  id: z.string(),
  slug: z.string().describe("For the header `Terse-Workspace`; `personal` for the caller's own"),
  name: z.string(),
  plan: z.enum(planNames),
  role,
  personal: z.boolean().describe("Whether it is somebody's personal one"),
  members: z.int().min(1).describe("Number of members"),
  created_at: timestamp,
  deletes_at: timestamp.nullable().describe("When it is erased, if it was deleted"),
  join_domains: z
    .array(z.object({ domain: z.string(), role: z.enum(roleNames) }))
    .describe("People with a verified address at one of these domains may join, with that role"),
  offered_to: z.string().nullable().describe("The member to whom the owner offers the workspace"),
});

/** A workspace as one of its members sees it. */
export interface Workspace extends z.infer<typeof workspaceFields> {}
export const workspaceSchema = named<Workspace>("Workspace", workspaceFields);

const currentFields = workspaceFields.pick({ id: true, slug: true, name: true, role: true, personal: true });

/** The workspace of a request. */
export interface CurrentWorkspace extends z.infer<typeof currentFields> {}
export const currentWorkspaceSchema = named<CurrentWorkspace>("CurrentWorkspace", currentFields);

const name = line(100).min(1, "must not be empty");
const slug = textLike(
  /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
  "workspace_slug",
  "must have 1 to 40 lower-case letters, digits and hyphens, with no hyphen at either end",
  "acme-marketing",
).refine(
  (text) => text !== "personal" && !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text),
  refused("slug_reserved", "is reserved", { slug: "personal" }),
);

export const newWorkspace = fieldsOf({
  name,
  slug: slug.describe("Default: made from the name").optional(),
});

const joinDomain = z.strictObject({
  domain: z
    .string()
    .overwrite(emailToAscii)
    .pipe(
      textLike(
        /^(?=.{1,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/,
        "host_name",
        "is not a domain",
        "acme.com",
      ),
    ),
  role: givenRole,
});
export type JoinDomain = z.infer<typeof joinDomain>;

export const workspaceChanges = changesOf(
  {
    id: z.string(),
    name: name.optional(),
    slug: slug.optional(),
    join_domains: z
      .array(joinDomain)
      .max(20, "must have at most 20 entries")
      .describe("Mail domains whose people may join; not those of public mail services")
      .optional(),
  },
  workspaceSchema,
);

const memberFields = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roleNames),
  via: z.enum(joinedVia).describe("How the person became a member"),
  joined_at: timestamp,
  last_seen_at: timestamp.nullable().describe("When a session of the person was last used"),
});

/** A member of a workspace. */
export interface Member extends z.infer<typeof memberFields> {}
export const memberSchema = named<Member>("Member", memberFields);

export const memberChange = fieldsOf({
  user_id: z.string().describe("The member"),
  role: givenRole.describe("At most the caller's own role; ownership is transferred instead"),
});

const invitationFields = z.object({
  id: z.string(),
  email: z.string().nullable().describe("Null: whoever has the link, once"),
  role: z.enum(roleNames),
  invited_by: z.object({ id: z.string(), name: z.string() }).nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});

/** An invitation that nobody has accepted yet. */
export interface Invitation extends z.infer<typeof invitationFields> {}
export const invitationSchema = named<Invitation>("Invitation", invitationFields);

const newInvitationFields = invitationFields.extend({
  url: z.string().describe("The page that accepts it, shown only once"),
});

/** A new invitation with its address. */
export interface NewInvitation extends z.infer<typeof newInvitationFields> {}
export const newInvitationSchema = named<NewInvitation>("NewInvitation", newInvitationFields);

export const invitationInput = fieldsOf({
  email: emailAddress
    .describe("Who may accept it, signed in with this verified address; without one, whoever has the link")
    .optional(),
  role: givenRole.describe("At most the caller's own role"),
  expires_in_days: z.int().min(1).max(30).default(7).describe("After how many days it ends"),
});

/** What a person with an invitation's link may know before accepting. */
export interface OpenInvitation {
  workspace: string;
  role: (typeof roleNames)[number];
}
