import { describe, expect, it } from "vitest";
import { changeGroup, readGroup, replaceGroup } from "../../src/scim/group.ts";
import { readPatch } from "../../src/scim/patch.ts";
import { ScimError } from "../../src/scim/scim-error.ts";
import { changePerson, readPerson, replacePerson } from "../../src/scim/user.ts";

const work = { value: "ada@example.com", type: "work", primary: true };
const home = { value: "ada@home.example", type: "home" };
const ada = {
  userName: "ada@example.com",
  displayName: "Ada",
  name: { givenName: "Ada", familyName: "King" },
  emails: [work, home],
  active: true,
};

const steps = (...Operations: unknown[]) => readPatch({ Operations });
const patch = (...operations: unknown[]) => changePerson(steps(...operations))(structuredClone(ada));

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return "none";
}

describe("a change of a person", () => {
  it.each([
    ["text", { op: "Replace", path: "displayName", value: "A. King" }, { displayName: "A. King" }],
    ["names without case", { op: "REPLACE", path: "DISPLAYNAME", value: "A" }, { displayName: "A" }],
    ["a flag", { op: "replace", path: "active", value: false }, { active: false }],
    ["a flag as text (Entra)", { op: "Replace", path: "active", value: "False" }, { active: false }],
    [
      "a wrapped flag (Entra)",
      { op: "Replace", path: "active", value: [{ value: "False" }] },
      { active: false },
    ],
    ["without a path (Okta)", { op: "replace", value: { active: false } }, { active: false }],
    [
      "with paths as names (Entra)",
      { op: "Add", value: { "name.givenName": "A.", 'emails[type eq "work"].value': "a@example.com" } },
      { name: { givenName: "A.", familyName: "King" }, emails: [{ ...work, value: "a@example.com" }, home] },
    ],
    [
      "of the own schema's name",
      { op: "add", value: { "urn:ietf:params:scim:schemas:core:2.0:User:displayName": "A" } },
      { displayName: "A" },
    ],
    [
      "part of the name",
      { op: "replace", path: "name.familyName", value: "Lovelace" },
      { name: { givenName: "Ada", familyName: "Lovelace" } },
    ],
    [
      "the name, whose other parts stay",
      { op: "replace", path: "name", value: { formatted: "Ada K." } },
      { name: { ...ada.name, formatted: "Ada K." } },
    ],
    [
      "an address by its type",
      { op: "Replace", path: 'emails[type eq "work"].value', value: "k@example.com" },
      { emails: [{ ...work, value: "k@example.com" }, home] },
    ],
    [
      "an address that is not there",
      { op: "Add", path: 'emails[type eq "other"].value', value: "o@example.com" },
      { emails: [work, home, { type: "other", value: "o@example.com" }] },
    ],
    ["all addresses", { op: "replace", path: "emails", value: [home] }, { emails: [home] }],
    [
      "one more address",
      { op: "add", path: "emails", value: { value: "x@example.com" } },
      { emails: [work, home, { value: "x@example.com" }] },
    ],
    [
      "the same address once more",
      { op: "add", path: "emails", value: [{ ...home, type: "other" }] },
      { emails: [work, { ...home, type: "other" }] },
    ],
    [
      "a new primary address",
      { op: "replace", path: 'emails[type eq "home"].primary', value: "True" },
      {
        emails: [
          { ...work, primary: false },
          { ...home, primary: true },
        ],
      },
    ],
    ["an address less", { op: "remove", path: 'emails[type eq "work"]' }, { emails: [home] }],
    [
      "an address less by its value",
      { op: "remove", path: "emails", value: [{ value: home.value }] },
      { emails: [work] },
    ],
    ["no addresses", { op: "remove", path: "emails" }, { emails: undefined }],
    ["no name", { op: "remove", path: "name" }, { name: undefined }],
    ["null as no value", { op: "replace", path: "displayName", value: null }, { displayName: undefined }],
    ["attributes that are not kept", { op: "add", path: "title", value: "Countess" }, {}],
    ["parts that are not kept", { op: "add", path: "name.middleName", value: "A" }, {}],
    [
      "other schemas",
      {
        op: "add",
        path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
        value: "IT",
      },
      {},
    ],
    ["the prototype", { op: "add", value: { constructor: { prototype: 1 }, toString: "x" } }, {}],
  ])("%s", (_, operation, change) => {
    const expected = Object.fromEntries(
      Object.entries({ ...ada, ...change }).filter(([, each]) => each !== undefined),
    );
    expect(patch(operation)).toEqual(expected);
  });

  it("makes its steps in order", () => {
    expect(
      patch(
        { op: "remove", path: "emails" },
        { op: "add", path: "emails", value: [home] },
        { op: "replace", path: 'emails[type eq "home"].type', value: "work" },
      ).emails,
    ).toEqual([{ ...home, type: "work" }]);
  });

  it.each([
    ["invalidSyntax", { op: "move", path: "a" }],
    ["invalidSyntax", "remove"],
    ["noTarget", { op: "remove" }],
    ["invalidValue", { op: "replace", path: "active" }],
    ["invalidValue", { op: "replace", path: "active", value: "no" }],
    ["invalidValue", { op: "replace", path: "displayName", value: 5 }],
    ["invalidValue", { op: "replace", path: "displayName", value: "a\u0000" }],
    ["invalidValue", { op: "replace", path: "displayName", value: "a".repeat(321) }],
    ["invalidValue", { op: "replace", value: "x" }],
    ["invalidValue", { op: "remove", path: "userName" }],
    ["invalidValue", { op: "add", path: "emails", value: Array.from({ length: 21 }, () => home) }],
    ["invalidPath", { op: "replace", path: "userName.x", value: "a" }],
    ["invalidPath", { op: "replace", path: 'name[givenName eq "Ada"]', value: {} }],
    ["invalidPath", { op: "replace", path: 5, value: "a" }],
    ["invalidPath", { op: "replace", value: { "a b": 1 } }],
  ])("is refused with %s: %j", (keyword, operation) => {
    expect(refusalOf(() => patch(operation))).toBe(keyword);
  });

  it("has one operation or more, and not too many", () => {
    expect(refusalOf(() => readPatch({}))).toBe("invalidSyntax");
    expect(refusalOf(() => readPatch({ Operations: [] }))).toBe("invalidSyntax");
    const many = Array.from({ length: 1001 }, () => ({ op: "remove", path: "title" }));
    expect(refusalOf(() => readPatch({ Operations: many }))).toBe("tooMany");
  });
});

describe("a whole person", () => {
  it("is what is kept of them; they are active unless they are not", () => {
    const sent = {
      ...ada,
      username: "ada",
      userName: undefined,
      active: undefined,
      password: "x",
      phoneNumbers: [{ value: "1" }],
    };
    expect(readPerson(sent)).toEqual({ ...ada, userName: "ada" });
    expect(readPerson({ userName: "a", active: "False" })).toEqual({ userName: "a", active: false });
    expect(replacePerson({ userName: "a" })({ ...ada, active: false })).toEqual({
      userName: "a",
      active: false,
    });
    expect(replacePerson({ userName: "a", active: true })({ ...ada, active: false }).active).toBe(true);
    expect(refusalOf(() => readPerson({}))).toBe("invalidValue");
    expect(refusalOf(() => readPerson({ userName: " " }))).toBe("invalidValue");
  });
});

describe("a change of a group", () => {
  const change = (...operations: unknown[]) => changeGroup(steps(...operations));

  it.each([
    [
      "adds members",
      { op: "Add", path: "members", value: [{ $ref: null, value: "1" }, { value: "2" }] },
      [{ kind: "add", ids: ["1", "2"] }],
    ],
    [
      "adds members without a path",
      { op: "add", value: { members: [{ value: "1" }] } },
      [{ kind: "add", ids: ["1"] }],
    ],
    [
      "sets members (Okta)",
      { op: "replace", path: "members", value: [{ value: "1", display: "a" }] },
      [{ kind: "set", ids: ["1"] }],
    ],
    [
      "removes by value (Entra)",
      { op: "Remove", path: "members", value: [{ value: "1" }] },
      [{ kind: "remove", ids: ["1"] }],
    ],
    [
      "removes by a filter (Okta)",
      { op: "remove", path: 'members[value eq "1"]' },
      [{ kind: "remove", ids: ["1"] }],
    ],
    ["removes all", { op: "remove", path: "members" }, [{ kind: "set", ids: [] }]],
  ])("%s", (_, operation, members) => {
    expect(change(operation)).toEqual({ members });
  });

  it("renames (Okta sends the id, too), and changes the external id", () => {
    expect(change({ op: "replace", value: { id: "1", displayName: "IT" } })).toEqual({
      displayName: "IT",
      members: [],
    });
    expect(change({ op: "replace", path: "externalId", value: "x" })).toEqual({
      externalId: "x",
      members: [],
    });
    expect(change({ op: "remove", path: "externalId" })).toEqual({ externalId: null, members: [] });
  });

  it.each([
    ["invalidValue", { op: "remove", path: "displayName" }],
    ["invalidValue", { op: "add", path: "members", value: [{ display: "a" }] }],
    ["invalidPath", { op: "replace", path: 'members[value eq "1"]', value: { value: "2" } }],
    ["invalidPath", { op: "remove", path: 'members[display eq "1"]' }],
    ["invalidPath", { op: "replace", path: "members.value", value: "2" }],
  ])("is refused with %s: %j", (keyword, operation) => {
    expect(refusalOf(() => change(operation))).toBe(keyword);
  });

  it("has a limited number of members", () => {
    const members = Array.from({ length: 10_001 }, () => ({ value: "1" }));
    expect(refusalOf(() => change({ op: "add", path: "members", value: members }))).toBe("tooMany");
  });

  it("is all of it with PUT", () => {
    expect(readGroup({ displayName: "IT" })).toEqual({ attributes: { displayName: "IT" }, members: [] });
    expect(replaceGroup({ displayName: "IT", members: [{ value: "1" }] })).toEqual({
      displayName: "IT",
      externalId: null,
      members: [{ kind: "set", ids: ["1"] }],
    });
  });
});
