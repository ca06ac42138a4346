import type { Attribute, Json } from "./attributes.ts";
import { groupAttributes, groupSchema } from "./group.ts";
import { userAttributes, userSchema } from "./user.ts";

const urn = "urn:ietf:params:scim:schemas:core:2.0";
const off = { supported: false };

/** Most entries of a list. */
export const maxResults = 200;

/** What the service can do (RFC 7643, section 5). */
export const serviceProviderConfig = (base: string): Json => ({
  schemas: [`${urn}:ServiceProviderConfig`],
  documentationUri: `${new URL(base).origin}/docs/security`,
  patch: { supported: true },
  bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: off,
  sort: off,
  etag: off,
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token that the operator of the service creates for one workspace",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

/** The types of resources (RFC 7643, section 6). */
export const resourceTypes = (base: string): Json[] =>
  (["User", "Group"] as const).map((id) => ({
    schemas: [`${urn}:ResourceType`],
    id,
    name: id,
    endpoint: `/${id}s`,
    schema: id === "User" ? userSchema : groupSchema,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${id}` },
  }));

/** The attributes of both types (RFC 7643, section 7). */
export const schemas = (base: string): Json[] => [
  schema(base, userSchema, "User", [
    ...userAttributes.map(describe),
    references("groups", "Groups of the person; changed at the groups", "Group", "readOnly"),
  ]),
  schema(base, groupSchema, "Group", [
    ...groupAttributes.map(describe),
    references("members", "People of the group", "User", "readWrite"),
  ]),
];

const schema = (base: string, id: string, name: string, attributes: Json[]): Json => ({
  schemas: [`${urn}:Schema`],
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
});

const types = { text: "string", flag: "boolean", fields: "complex", list: "complex" } as const;

function describe({ name, description, kind, required = false, unique, fields }: Attribute): Json {
  return {
    name,
    type: types[kind],
    multiValued: kind === "list",
    description,
    required,
    mutability: "readWrite",
    returned: "default",
    uniqueness: unique ? "server" : "none",
    ...(kind === "text" && { caseExact: name === "externalId" }),
    ...(fields && { subAttributes: fields.map(describe) }),
  };
}

const references = (name: string, description: string, to: string, mutability: string): Json => ({
  ...describe({ name, description, kind: "list" }),
  mutability,
  subAttributes: [
    { ...describe({ name: "value", description: "Id", kind: "text" }), mutability: "immutable" },
    { ...describe({ name: "display", description: "Name", kind: "text" }), mutability: "readOnly" },
    {
      ...describe({ name: "$ref", description: "Address", kind: "text" }),
      type: "reference",
      referenceTypes: [to],
      mutability: "readOnly",
    },
  ],
});
