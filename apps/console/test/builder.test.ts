import { describe, expect, it } from "vitest";
import { correctedUrl } from "../src/kit/format/url.ts";
import { groupsOf, type Explanation } from "../src/features/builder/visits.ts";
import { fromHandles, toHandles, toPercent, withPercent } from "../src/features/builder/weights.ts";

describe("a mistake in a URL's scheme", () => {
  it.each([
    ["htp://example.com", "http://example.com"],
    ["htps://example.com/a", "https://example.com/a"],
    ["ttps://example.com", "https://example.com"],
    ["https//example.com", "https://example.com"],
    ["https:/example.com", "https://example.com"],
    ["https;//example.com", "https://example.com"],
    ["https://https://example.com", "https://example.com"],
    ["http://http//example.com", "http://example.com"],
  ])("is corrected: %s", (typed, meant) => {
    expect(correctedUrl(typed)).toBe(meant);
  });

  it.each([
    "https://example.com",
    "HTTP://example.com",
    "example.com/http//x",
    "httpstat.us/200",
    "example.com:80//x",
    "ftp://example.com",
    "mailto:ada@example.com",
    "",
  ])("is not seen in %j", (typed) => {
    expect(correctedUrl(typed)).toBeNull();
  });
});

describe("the shares of an A/B test", () => {
  it.each([
    [
      [1, 3],
      [25, 75],
    ],
    [
      [1, 2],
      [33, 67],
    ],
    [
      [1, 1, 1],
      [34, 33, 33],
    ],
    [
      [1, 1000, 1, 1],
      [1, 97, 1, 1],
    ],
    [
      [2 ** 31 - 1, 1],
      [99, 1],
    ],
  ])("of the weights %j are %j percent", (weights, percent) => {
    expect(toPercent(weights)).toEqual(percent);
    expect(fromHandles(toHandles(percent))).toEqual(percent);
  });

  it("are at least one percent, wherever a handle is moved and whatever is entered", () => {
    expect(fromHandles([0, 0, 100])).toEqual([1, 1, 97, 1]);
    expect(fromHandles([100])).toEqual([99, 1]);
    expect(withPercent([50, 50], 1, 150)).toEqual([1, 99]);
    expect(withPercent([50, 30, 20], 0, -3)).toEqual([1, 59, 40]);
  });

  it("that are left to the others are divided as before", () => {
    expect(withPercent([1, 1, 2], 0, 10)).toEqual([10, 30, 60]);
  });
});

describe("who ends up where", () => {
  const to = (location: string) => ({ outcome: "redirect", location, variants: null }) as Explanation;
  const gone = { outcome: "gone", location: null, variants: null } as unknown as Explanation;
  const visit = { unlocked: true } as const;

  it("names countries together that end up in the same place, and everybody else last", () => {
    const visits = [
      { ...visit, country: "DE" },
      { ...visit, country: "US" },
      { ...visit, country: "AT" },
      visit,
    ];
    const groups = groupsOf(visits, [to("/de"), to("/"), to("/de"), to("/")]);
    expect(groups.map(({ countries, isRest }) => [countries, isRest])).toEqual([
      [["DE", "AT"], false],
      [["US"], true],
    ]);
  });

  it("is said for each time, the present first", () => {
    const later = "2031-01-31T12:00:00.000Z";
    const groups = groupsOf([visit, { ...visit, at: later }], [to("/"), gone]);
    expect(groups.map(({ at, answer }) => [at, answer.outcome])).toEqual([
      [undefined, "redirect"],
      [later, "gone"],
    ]);
  });
});
