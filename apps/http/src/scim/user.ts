import type { DirectoryFilter, DirectoryPerson, PersonAttributes } from "@terse/core";
import { type Attribute, type Json, readAttributes } from "./attributes.ts";
import { patched, type Step } from "./patch.ts";
import { ScimError } from "./scim-error.ts";

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";

/** What is kept of a person. Everything else that directories send is ignored: telephone numbers, managers, passwords. */
export const userAttributes: readonly Attribute[] = [
  { name: "userName", kind: "text", required: true, unique: true, description: "Name at the directory" },
  { name: "externalId", kind: "text", description: "Id at the directory" },
  { name: "displayName", kind: "text", description: "Name that others see" },
  {
    name: "name",
    kind: "fields",
    description: "Parts of the name, of which one is made without displayName",
    fields: [
      { name: "formatted", kind: "text", description: "The whole name" },
      { name: "givenName", kind: "text", description: "Given name" },
      { name: "familyName", kind: "text", description: "Family name" },
    ],
  },
  {
    name: "emails",
    kind: "list",
    description:
      "E-mail addresses; people sign in with the primary one, or else the one for work, or else the first",
    fields: [
      { name: "value", kind: "text", description: "The address" },
      { name: "type", kind: "text", description: "Such as work" },
      { name: "primary", kind: "flag", description: "Whether it is the main one" },
    ],
  },
  { name: "active", kind: "flag", description: "False ends all access at once" },
];

/** Reads a whole person, as POST sends it. */
export const readPerson = (body: Json): PersonAttributes => personOf(readAttributes(userAttributes, body));

/** What PUT makes of a person: all of it, but who is not said to be active stays as they are. */
export function replacePerson(body: Json): (before: PersonAttributes) => PersonAttributes {
  const found = readAttributes(userAttributes, body);
  return ({ active }) => personOf({ active, ...found });
}

export const changePerson =
  (steps: readonly Step[]) =>
  (before: PersonAttributes): PersonAttributes =>
    personOf(patched(userAttributes, { ...before }, steps));

function personOf(found: Json): PersonAttributes {
  if (found.userName === undefined) throw new ScimError("invalidValue", "userName: is required");
  return { active: true, ...found } as unknown as PersonAttributes;
}

/** A person as the protocol shows them. */
export function showPerson(
  { id, groups, created_at, updated_at, ...attributes }: DirectoryPerson,
  base: string,
): Json {
  return {
    schemas: [userSchema],
    id,
    ...attributes,
    groups: groups.map((group) => ({
      value: group.id,
      display: group.display,
      $ref: `${base}/Groups/${group.id}`,
    })),
    meta: {
      resourceType: "User",
      created: created_at,
      lastModified: updated_at,
      location: `${base}/Users/${id}`,
    },
  };
}

/** Attributes that people can be found by, in lower case. */
export const userFilters: Readonly<Record<string, keyof DirectoryFilter>> = {
  id: "id",
  username: "userName",
  externalid: "externalId",
  displayname: "displayName",
  emails: "email",
  "emails.value": "email",
  active: "active",
};
