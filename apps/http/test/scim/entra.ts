import type { Turn } from "./conversation.ts";

const user = "urn:ietf:params:scim:schemas:core:2.0:User";
const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const group = "urn:ietf:params:scim:schemas:core:2.0:Group";
const patch = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
const list = { schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"] };

/** The requests that Microsoft Entra ID's documentation shows for its provisioning service, in its spelling. */
export const entra: Turn[] = [
  {
    what: "tests the connection with a name that no one has",
    method: "GET",
    path: `/Users?filter=userName+eq+"5f6b2c1e-7d5c-4f0e-9a52-5b4f1f9a6a01"`,
    status: 200,
    answer: { ...list, totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 },
  },
  { what: "reads the schemas", method: "GET", path: "/Schemas", status: 200, answer: { totalResults: 2 } },
  {
    what: "creates a person",
    method: "POST",
    path: "/Users",
    body: {
      schemas: [user, enterprise],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "Grace.Hopper@acme.example",
      active: true,
      emails: [{ primary: true, type: "work", value: "Grace.Hopper@acme.example" }],
      meta: { resourceType: "User" },
      name: { formatted: "Grace Hopper", familyName: "Hopper", givenName: "Grace" },
      roles: [],
      [enterprise]: { department: "Navy", manager: { value: "1" } },
    },
    status: 201,
    keeps: "grace",
    answer: {
      schemas: [user],
      userName: "Grace.Hopper@acme.example",
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      active: true,
      groups: [],
      meta: { resourceType: "User" },
    },
  },
  {
    what: "creates the same person again",
    method: "POST",
    path: "/Users",
    body: { schemas: [user], userName: "grace.hopper@acme.example", active: true },
    status: 409,
    answer: {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "409",
      scimType: "uniqueness",
    },
  },
  {
    what: "finds the person by name",
    method: "GET",
    path: `/Users?filter=userName%20eq%20%22grace.hopper@ACME.example%22`,
    status: 200,
    answer: { totalResults: 1, itemsPerPage: 1, Resources: [{ id: "{grace}" }] },
  },
  {
    what: "finds the person by address",
    method: "GET",
    path: `/Users?filter=emails[type+eq+"work"].value+eq+"grace.hopper@acme.example"`,
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: "{grace}" }] },
  },
  {
    what: "finds the person by its id",
    method: "GET",
    path: `/Users?filter=externalId+eq+"0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"`,
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: "{grace}" }] },
  },
  {
    what: "changes parts of the person",
    method: "PATCH",
    path: "/Users/{grace}",
    body: {
      schemas: patch,
      Operations: [
        { op: "Replace", path: `emails[type eq "work"].value`, value: "admiral@acme.example" },
        { op: "Replace", path: "name.familyName", value: "Murray Hopper" },
        { op: "Add", path: `${enterprise}:department`, value: "Computing" },
        { op: "Add", path: `phoneNumbers[type eq "mobile"].value`, value: "+1 555 0100" },
      ],
    },
    status: 200,
    answer: {
      emails: [{ primary: true, type: "work", value: "admiral@acme.example" }],
      name: { formatted: "Grace Hopper", familyName: "Murray Hopper", givenName: "Grace" },
    },
  },
  {
    what: "changes the name without a path, as with its flag for compliance",
    method: "PATCH",
    path: "/Users/{grace}",
    body: {
      schemas: patch,
      Operations: [{ op: "add", value: { displayName: "Amazing Grace", "name.givenName": "G." } }],
    },
    status: 200,
    answer: { displayName: "Amazing Grace", name: { givenName: "G." } },
  },
  {
    what: "deactivates the person with text",
    method: "PATCH",
    path: "/Users/{grace}",
    body: { schemas: patch, Operations: [{ op: "Replace", path: "active", value: "False" }] },
    status: 200,
    answer: { active: false },
  },
  {
    what: "activates the person",
    method: "PATCH",
    path: "/Users/{grace}",
    body: { schemas: patch, Operations: [{ op: "Replace", path: "active", value: "True" }] },
    status: 200,
    answer: { active: true },
  },
  {
    what: "looks for a group",
    method: "GET",
    path: `/Groups?excludedAttributes=members&filter=displayName+eq+"terse-editors"`,
    status: 200,
    answer: { totalResults: 0 },
  },
  {
    what: "creates a group",
    method: "POST",
    path: "/Groups",
    body: {
      schemas: [group, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: "terse-editors",
      meta: { resourceType: "Group" },
    },
    status: 201,
    keeps: "editors",
    answer: { schemas: [group], displayName: "terse-editors", members: [], meta: { resourceType: "Group" } },
  },
  {
    what: "adds a member",
    method: "PATCH",
    path: "/Groups/{editors}",
    body: {
      schemas: patch,
      Operations: [{ op: "Add", path: "members", value: [{ $ref: null, value: "{grace}" }] }],
    },
    status: 204,
  },
  {
    what: "asks whether someone is a member",
    method: "GET",
    path: `/Groups?filter=id+eq+"{editors}"+and+members+eq+"{grace}"&attributes=id`,
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: "{editors}" }] },
  },
  {
    what: "reads the group without its members",
    method: "GET",
    path: "/Groups/{editors}?excludedAttributes=members",
    status: 200,
    answer: { id: "{editors}", displayName: "terse-editors" },
  },
  {
    what: "reads the person with the group",
    method: "GET",
    path: "/Users/{grace}",
    status: 200,
    answer: { groups: [{ value: "{editors}", display: "terse-editors" }] },
  },
  {
    what: "renames the group",
    method: "PATCH",
    path: "/Groups/{editors}",
    body: { schemas: patch, Operations: [{ op: "Replace", path: "displayName", value: "Terse-Admins" }] },
    status: 204,
  },
  {
    what: "removes the member",
    method: "PATCH",
    path: "/Groups/{editors}",
    body: {
      schemas: patch,
      Operations: [{ op: "Remove", path: "members", value: [{ $ref: null, value: "{grace}" }] }],
    },
    status: 204,
  },
  { what: "deletes the group", method: "DELETE", path: "/Groups/{editors}", status: 204 },
  {
    what: "no longer finds it",
    method: "GET",
    path: "/Groups/{editors}",
    status: 404,
    answer: { status: "404" },
  },
  { what: "deletes the person", method: "DELETE", path: "/Users/{grace}", status: 204 },
  {
    what: "no longer finds them",
    method: "GET",
    path: "/Users/{grace}",
    status: 404,
    answer: { status: "404" },
  },
];
