import { describe, expect, it } from "vitest";
import { parseFilter, parsePath } from "../../src/scim/filter.ts";
import { ScimError } from "../../src/scim/scim-error.ts";

/** The keyword of what is thrown */
function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return "none";
}

describe("a filter", () => {
  it.each([
    ['userName eq "ada@example.com"', [["username", "ada@example.com"]]],
    ['USERNAME EQ "Ada"', [["username", "Ada"]]],
    ['  externalId   eq  "a\\"b\\u00e9"  ', [["externalid", 'a"bé']]],
    ["active eq true", [["active", true]]],
    ["active eq False", [["active", false]]],
    ["title eq null", [["title", null]]],
    ["age eq 41", [["age", 41]]],
    ['emails.value eq "a@b.c"', [["emails.value", "a@b.c"]]],
    ['emails[type eq "work"]', [["emails.type", "work"]]],
    [
      'emails[type eq "work" and value eq "a@b.c"]',
      [
        ["emails.type", "work"],
        ["emails.value", "a@b.c"],
      ],
    ],
    [
      'emails[type eq "work"].value eq "a@b.c"',
      [
        ["emails.type", "work"],
        ["emails.value", "a@b.c"],
      ],
    ],
    [
      'id eq "1" and members eq "2"',
      [
        ["id", "1"],
        ["members", "2"],
      ],
    ],
    [
      'members[value eq "2"] AND displayName eq "x and y"',
      [
        ["members.value", "2"],
        ["displayname", "x and y"],
      ],
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [["username", "a"]]],
  ])("%s is read", (text, conditions) => {
    expect(parseFilter(text).map(({ path, value }) => [path, value])).toEqual(conditions);
  });

  it.each([
    "",
    "userName",
    "userName eq",
    "userName eq ada",
    'userName eq "ada',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName co "a"',
    "userName pr",
    'emails[type eq "work"',
    'emails[type eq "work"]value eq "a"',
    'userName eq "a" and',
    'userName eq "a"b',
    'userName eq "\\x"',
    'emails[emails[type eq "a"]]',
    `userName eq "${"a".repeat(2000)}"`,
  ])("%s is refused", (text) => {
    expect(refusalOf(() => parseFilter(text))).toBe("invalidFilter");
  });

  it.each(["a ".repeat(999), "[".repeat(1999), `"${"\\\\".repeat(990)}`, "a.a.".repeat(490)])(
    "is refused in linear time: %#",
    (text) => {
      expect(refusalOf(() => parseFilter(text))).toBe("invalidFilter");
    },
  );
});

describe("a path", () => {
  it.each([
    ["userName", { attribute: "username", entries: null, sub: null }],
    ["name.givenName", { attribute: "name", entries: null, sub: "givenname" }],
    ['members[value eq "1"]', { attribute: "members", entries: [{ path: "value", value: "1" }], sub: null }],
    [
      'emails[type eq "work" and primary eq true].value',
      {
        attribute: "emails",
        entries: [
          { path: "type", value: "work" },
          { path: "primary", value: true },
        ],
        sub: "value",
      },
    ],
    [
      "urn:ietf:params:scim:schemas:core:2.0:User:name.familyName",
      { attribute: "name", entries: null, sub: "familyname" },
    ],
    ["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager", null],
  ])("%s is read", (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each([
    "",
    "1",
    "name.",
    "members[",
    "members[value eq 1",
    "members[].value",
    "a.b.c",
    "a b",
    'members[value co "1"]',
  ])("%s is refused", (text) => {
    expect(refusalOf(() => parsePath(text))).toBe("invalidPath");
  });
});
