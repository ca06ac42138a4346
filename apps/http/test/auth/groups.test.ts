import { describe, expect, it } from "vitest";
import { claimAt, groupsIn } from "../../src/auth/groups.ts";

describe("a claim", () => {
  const claims = {
    groups: ["a"],
    "cognito:groups": ["b"],
    "https://id.example/groups": ["c"],
    realm_access: { roles: ["d"] },
    resource_access: { "my.client": { roles: ["e"] } },
    text: "f",
  };

  it.each([
    ["groups", ["a"]],
    ["cognito:groups", ["b"]],
    ["https://id.example/groups", ["c"]],
    ["realm_access.roles", ["d"]],
    ["resource_access.my.client.roles", ["e"]],
    ["realm_access", { roles: ["d"] }],
    ["text.length", undefined],
    ["realm_access.constructor", undefined],
    ["__proto__.roles", undefined],
    ["none", undefined],
  ])("%s is found by its name or path", (path, value) => {
    expect(claimAt(claims, path)).toEqual(value);
  });
});

describe("groups are read from", () => {
  it.each([
    ["a list (Okta, Authentik)", ["staff", "Link Admins"], ["staff", "Link Admins"]],
    ["paths (Keycloak)", ["/staff", "/staff/it"], ["staff", "staff/it"]],
    ["one name", "staff", ["staff"]],
    ["text with commas", "staff, Link Admins,", ["staff", "Link Admins"]],
    ["text with spaces", "staff it", ["staff it", "staff", "it"]],
    ["a list in JSON", '["staff","Link Admins"]', ["staff", "Link Admins"]],
    ["a list as Java prints it (Cognito)", "[staff, it]", ["staff", "it"]],
    [
      "objects with names",
      [{ name: "staff" }, { displayName: "it", id: "7" }, { id: "8" }],
      ["staff", "it", "8"],
    ],
    ["keys of an object (Zitadel)", { staff: { "1": "id.example" }, it: {} }, ["staff", "it"]],
    ["a list of such objects", [{ staff: { "1": "id.example" } }], ["staff"]],
    ["repetitions", ["staff", "/staff", " staff "], ["staff"]],
    ["nothing", undefined, []],
    ["other values", [1, null, true, ["staff"], "", "\uD800"], []],
    ["a number", 5, []],
  ])("%s", (_, value, groups) => {
    expect(groupsIn(value)).toEqual(groups);
  });

  it("at most 2,000 of them", () => {
    expect(groupsIn(Array.from({ length: 3000 }, (_, index) => `g${index}`))).toHaveLength(2000);
  });
});
