import { z } from "zod";

/** Roles that a group can give; ownership is handed over instead. */
const groupRoleNames = ["viewer", "editor", "admin", "operator"] as const;

/** What the members of a group may do. */
export interface GroupRole {
  readonly group: string;
  /** Slug or id of a workspace, or "*" for all of them */
  readonly workspace: string;
  /** "operator" is a role in the whole service, so its workspace is "*" */
  readonly role: (typeof groupRoleNames)[number];
}

/** A list of `group=workspace:role`. A group's name may contain = and :, and a comma as %2C. */
export const groupRoles = z.string().transform((text, context): GroupRole[] =>
  text.split(",").flatMap((item) => {
    const entry = read(item.trim());
    if (typeof entry !== "string") return [entry];
    context.addIssue(`${JSON.stringify(item.trim().slice(0, 60))} ${entry}`);
    return [];
  }),
);

/** One entry, or what is wrong with it. */
function read(item: string): GroupRole | string {
  const [, group = "", workspace = "", name = ""] = /^(.+)=\s*([^=:\s]+)\s*:\s*([a-z]+)$/i.exec(item) ?? [];
  if (name === "") return "must have the form group=workspace:role, such as staff=*:viewer";
  const role = groupRoleNames.find((each) => each === name.toLowerCase());
  if (name.toLowerCase() === "owner")
    return "must not give ownership, which owners hand over themselves: use admin";
  if (role === undefined) return `must end in one of the roles ${groupRoleNames.join(", ")}`;
  if (role === "operator" && workspace !== "*")
    return "must name * as workspace, since operators run the whole service";
  return { group: group.trim().replaceAll(/%2C/gi, ","), workspace: workspace.toLowerCase(), role };
}
