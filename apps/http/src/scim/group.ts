import type {
  DirectoryFilter,
  DirectoryGroup,
  GroupAttributes,
  GroupChange,
  MembersChange,
} from "@terse/core";
import { type Attribute, isObject, type Json, readAttributes } from "./attributes.ts";
import { patched, type Step } from "./patch.ts";
import { ScimError } from "./scim-error.ts";

export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** What is kept of a group, besides its members. */
export const groupAttributes: readonly Attribute[] = [
  {
    name: "displayName",
    kind: "text",
    required: true,
    unique: true,
    description: "Name, which can give a role",
  },
  { name: "externalId", kind: "text", description: "Id at the directory" },
];

/** Members that a request may name. */
const maxMembers = 10_000;

/** Reads a whole group, as POST and PUT send it. */
export function readGroup(body: Json): { attributes: GroupAttributes; members: string[] } {
  const attributes = readAttributes(groupAttributes, body);
  if (attributes.displayName === undefined) throw new ScimError("invalidValue", "displayName: is required");
  const [, members] = Object.entries(body).find(([name]) => name.toLowerCase() === "members") ?? [];
  return { attributes: attributes as unknown as GroupAttributes, members: idsOf(members ?? []) };
}

/** What PUT changes: all of it. */
export function replaceGroup(body: Json): GroupChange {
  const { attributes, members } = readGroup(body);
  return { externalId: null, ...attributes, members: [{ kind: "set", ids: members }] };
}

/** What the steps of a PATCH change. */
export function changeGroup(steps: readonly Step[]): GroupChange {
  const isOfMembers = ({ path }: Step) => path.attribute === "members";
  // The value before is needed only to see that a step has removed it.
  const before = { displayName: null, externalId: null };
  const after = patched(
    groupAttributes,
    before,
    steps.filter((step) => !isOfMembers(step)),
  );
  const { displayName } = after;
  if (displayName === undefined) throw new ScimError("invalidValue", "displayName: is required");
  const touchesExternalId = steps.some(({ path }) => path.attribute === "externalid");
  return {
    ...(typeof displayName === "string" && { displayName }),
    ...(touchesExternalId && { externalId: (after.externalId as string | undefined) ?? null }),
    members: steps.filter(isOfMembers).map(membersChange),
  };
}

function membersChange({ op, path, value }: Step): MembersChange {
  if (path.sub !== null || (path.entries !== null && op !== "remove"))
    throw new ScimError("invalidPath", "path: members are added, removed or replaced as a whole");
  if (path.entries !== null) {
    const [{ path: field, value: id } = {}, ...more] = path.entries;
    if (field !== "value" || typeof id !== "string" || more.length > 0)
      throw new ScimError("invalidPath", 'path: expected members[value eq "<id>"]');
    return { kind: "remove", ids: [id] };
  }
  if (op === "remove") {
    const isAll = value === undefined || value === null;
    return isAll ? { kind: "set", ids: [] } : { kind: "remove", ids: idsOf(value) };
  }
  return { kind: op === "add" ? "add" : "set", ids: idsOf(value ?? []) };
}

/** The ids of references such as `{"value": "<id>"}`. */
function idsOf(value: unknown): string[] {
  const members: unknown[] = Array.isArray(value) ? value : [value];
  if (members.length > maxMembers)
    throw new ScimError(
      "tooMany",
      `members: must have at most ${maxMembers} entries; send the others separately`,
    );
  return members.map((member) => {
    const id: unknown = isObject(member) ? member.value : member;
    if (typeof id !== "string")
      throw new ScimError("invalidValue", 'members: each must be {"value": "<id>"}');
    return id;
  });
}

/** A group as the protocol shows it. */
export function showGroup(
  { id, members, created_at, updated_at, ...attributes }: DirectoryGroup,
  base: string,
): Json {
  return {
    schemas: [groupSchema],
    id,
    ...attributes,
    ...(members && {
      members: members.map((member) => ({
        value: member.id,
        display: member.display,
        $ref: `${base}/Users/${member.id}`,
        type: "User",
      })),
    }),
    meta: {
      resourceType: "Group",
      created: created_at,
      lastModified: updated_at,
      location: `${base}/Groups/${id}`,
    },
  };
}

/** Attributes that groups can be found by, in lower case. */
export const groupFilters: Readonly<Record<string, keyof DirectoryFilter>> = {
  id: "id",
  displayname: "displayName",
  externalid: "externalId",
  members: "member",
  "members.value": "member",
};
