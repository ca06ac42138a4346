import type { Turn } from "./conversation.ts";

const user = "urn:ietf:params:scim:schemas:core:2.0:User";
const group = "urn:ietf:params:scim:schemas:core:2.0:Group";
const patch = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];

const kay = {
  schemas: [user],
  userName: "alan.kay@acme.example",
  name: { givenName: "Alan", familyName: "Kay" },
  emails: [{ primary: true, value: "alan.kay@acme.example", type: "work" }],
  displayName: "Alan Kay",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
};

/** The requests that Okta's reference of SCIM 2.0 shows, in its spelling. */
export const okta: Turn[] = [
  {
    what: "tests the connection",
    method: "GET",
    path: "/Users?startIndex=1&count=2",
    status: 200,
    answer: { totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
  },
  {
    what: "looks for a person",
    method: "GET",
    path: "/Users?filter=userName%20eq%20%22alan.kay%40acme.example%22&startIndex=1&count=100",
    status: 200,
    answer: { totalResults: 0 },
  },
  {
    what: "creates the person",
    method: "POST",
    path: "/Users",
    body: kay,
    status: 201,
    keeps: "kay",
    answer: { userName: kay.userName, externalId: kay.externalId, displayName: "Alan Kay", active: true },
  },
  {
    what: "reads the person",
    method: "GET",
    path: "/Users/{kay}",
    status: 200,
    answer: { id: "{kay}", emails: kay.emails },
  },
  {
    what: "replaces the person",
    method: "PUT",
    path: "/Users/{kay}",
    body: {
      ...kay,
      id: "{kay}",
      name: { givenName: "Alan", familyName: "Curtis Kay" },
      meta: { resourceType: "User" },
    },
    status: 200,
    answer: { name: { familyName: "Curtis Kay" } },
  },
  {
    what: "deactivates the person",
    method: "PATCH",
    path: "/Users/{kay}",
    body: { schemas: patch, Operations: [{ op: "replace", value: { active: false } }] },
    status: 200,
    answer: { active: false },
  },
  {
    what: "activates the person by replacing them",
    method: "PUT",
    path: "/Users/{kay}",
    body: kay,
    status: 200,
    answer: { active: true },
  },
  {
    what: "imports the groups",
    method: "GET",
    path: "/Groups?startIndex=1&count=100",
    status: 200,
    answer: { totalResults: 0, Resources: [] },
  },
  {
    what: "pushes a group",
    method: "POST",
    path: "/Groups",
    body: {
      schemas: [group],
      displayName: "Terse staff",
      members: [{ value: "{kay}", display: "alan.kay@acme.example" }],
    },
    status: 201,
    keeps: "staff",
    answer: { displayName: "Terse staff", members: [{ value: "{kay}" }] },
  },
  {
    what: "renames the group, with its id in the value",
    method: "PATCH",
    path: "/Groups/{staff}",
    body: { schemas: patch, Operations: [{ op: "replace", value: { id: "{staff}", displayName: "Staff" } }] },
    status: 204,
  },
  {
    what: "removes and adds members in one request",
    method: "PATCH",
    path: "/Groups/{staff}",
    body: {
      schemas: patch,
      Operations: [
        { op: "remove", path: `members[value eq "{kay}"]` },
        { op: "add", path: "members", value: [{ value: "{kay}", display: "alan.kay@acme.example" }] },
      ],
    },
    status: 204,
  },
  {
    what: "sets the members",
    method: "PATCH",
    path: "/Groups/{staff}",
    body: { schemas: patch, Operations: [{ op: "replace", path: "members", value: [{ value: "{kay}" }] }] },
    status: 204,
  },
  {
    what: "reads the group",
    method: "GET",
    path: "/Groups/{staff}",
    status: 200,
    answer: { displayName: "Staff", members: [{ value: "{kay}", display: "alan.kay@acme.example" }] },
  },
  {
    what: "replaces the group",
    method: "PUT",
    path: "/Groups/{staff}",
    body: { schemas: [group], id: "{staff}", displayName: "All staff", members: [] },
    status: 200,
    answer: { displayName: "All staff", members: [] },
  },
  { what: "deletes the group", method: "DELETE", path: "/Groups/{staff}", status: 204 },
];
