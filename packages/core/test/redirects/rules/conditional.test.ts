import { describe, expect, it } from "vitest";
import type { Conditions, Visitor } from "../../../src/index.ts";
import { decide } from "../../../src/redirects/decide.ts";
import { noRules, optionInputs } from "../../../src/redirects/rules/rules.ts";
import { routeOf } from "../../../src/redirects/route.ts";

const url = "https://example.com/rule";
const noon = Date.parse("2026-06-15T12:00:00Z"); // a Monday

/** The conditions as they are stored. */
const stored = (...whens: object[]) =>
  optionInputs.rules.parse(whens.map((when, at) => ({ when, url: `${url}-${at + 1}` }))) ?? [];

/** The number of the rule that decides; 0 if none does. */
async function deciding(whens: object[], visitor: Partial<Visitor>, now: number = noon): Promise<number> {
  const route = routeOf({ ...noRules, id: "id", destination: url, rules: stored(...whens) });
  const decision = await decide(route, now, { country: () => null, id: () => "", ...visitor });
  if (decision.kind !== "redirect") throw new Error(decision.kind);
  return Number(decision.location.slice(`${url}-`.length));
}
const holds = async (when: object, visitor: Partial<Visitor>, now?: number) =>
  (await deciding([when], visitor, now)) === 1;

describe("a condition about the visitor", () => {
  const cases: [when: object, visitor: Partial<Visitor>, answer: boolean][] = [
    [{ country: ["de", "FR"] }, { country: () => "DE" }, true],
    [{ country: ["DE"] }, { country: () => null }, false],
    [{ continent: ["eu"] }, { country: () => "CH" }, true],
    [{ continent: ["EU"] }, { country: () => null }, false],
    [{ device: ["MOBILE"] }, { agent: () => ({ device: "mobile", os: null, browser: null }) }, true],
    [{ os: ["ios"] }, { agent: () => ({ device: null, os: "iOS", browser: null }) }, true],
    [
      { browser: ["samsung internet"] },
      { agent: () => ({ device: null, os: null, browser: "Chrome" }) },
      false,
    ],
    [{ referrer: ["News.example."] }, { referrer: () => "https://m.NEWS.example:8443/a?b" }, true],
    [{ referrer: ["news.example"] }, { referrer: () => "https://fakenews.example/" }, false],
    [{ referrer: ["bücher.example"] }, { referrer: () => "https://xn--bcher-kva.example/" }, true],
    [{ referrer: ["com.slack"] }, { referrer: () => "android-app://com.slack/" }, true],
    [{ query: [{ name: "a" }] }, { query: () => "b=1&a" }, true],
    [{ query: [{ name: "a", value: "x y" }] }, { query: () => "a=1&a=x+y" }, true],
    [
      {
        query: [
          { name: "a", value: "1" },
          { name: "b", value: null },
        ],
      },
      { query: () => "a=1&b=" },
      false,
    ],
    [{ query: [{ name: "?a" }] }, { query: () => "?a=1" }, true],
    [{ query: [{ name: "a", value: null }] }, {}, true],
    [{ ip: ["192.0.2.0/24"] }, { address: () => "::ffff:192.0.2.77" }, true],
    [{ ip: ["::ffff:192.0.2.0/120"] }, { address: () => "192.0.3.1" }, false],
    [{ ip: ["2001:db8::/33"] }, { address: () => "2001:db8:7fff::1" }, true],
    [{ ip: ["2001:db8::/33"] }, { address: () => "2001:db8:8000::1" }, false],
    [{ ip: ["0.0.0.0/0"] }, { address: () => "::1" }, false],
    [{ ip: ["198.51.100.7"] }, { address: () => "198.51.100.7" }, true],
  ];
  it.each(cases)("%j", async (when, visitor, answer) => {
    expect(await holds(when, visitor)).toBe(answer);
  });
});

describe("the condition for a language", () => {
  it.each<[header: string, tags: string[], answer: boolean]>([
    ["de-AT,de;q=0.9,en;q=0.5", ["de"], true],
    ["en;q=0.5, DE-at", ["de"], true],
    ["de", ["de-AT"], false],
    ["zh-Hant-x-a-TW", ["zh-Hant"], true],
    ["de;q=0", ["de"], false],
    ["*", ["de"], false],
    ["de;q=2, de;x=1, d_e", ["de"], false],
    [`${"x,".repeat(300)}de`, ["de"], false],
  ])("looks up %j in %j: %s", async (header, language, answer) => {
    expect(await holds({ language }, { language: () => header })).toBe(answer);
  });

  it("holds for the language that suits the visitor best, in whatever order the rules are", async () => {
    const german = { language: () => "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7" };
    expect(await deciding([{ language: ["en"] }, { language: ["de"] }], german)).toBe(2);
    expect(await deciding([{ language: ["de"] }, { language: ["en"] }], german)).toBe(1);
    expect(await deciding([{ language: ["en"] }, { country: ["DE"] }], german)).toBe(1);
  });
});

describe("weekly hours", () => {
  const weekly = (hours: Partial<Conditions["weekly"]>) => ({
    weekly: { tz: "Europe/Berlin", days: ["mon"], from: "09:00", to: "17:00", ...hours },
  });
  it.each<[hours: object, time: string, answer: boolean]>([
    [{}, "2026-06-15T06:59:59.999Z", false],
    [{}, "2026-06-15T07:00:00Z", true],
    [{}, "2026-06-15T14:59:59.999Z", true],
    [{}, "2026-06-15T15:00:00Z", false],
    [{}, "2026-06-16T09:00:00Z", false],
    // Past midnight they belong to the day on which they began.
    [{ from: "22:00", to: "02:00" }, "2026-06-15T23:59:00Z", true],
    [{ from: "22:00", to: "02:00" }, "2026-06-16T00:00:00Z", false],
    [{ from: "22:00", to: "02:00" }, "2026-06-14T23:59:00Z", false],
    [{ days: ["sun"], from: "22:00", to: "02:00" }, "2026-06-14T23:59:00Z", true],
    [{ from: "09:00", to: "09:00" }, "2026-06-16T06:59:00Z", true],
    [{ from: "00:00", to: "00:00" }, "2026-06-15T21:59:00Z", true],
    // Clocks go from 02:00 to 03:00 on 29 March, and from 03:00 to 02:00 on 25 October.
    [{ days: ["sun"], from: "02:30", to: "04:00" }, "2026-03-29T01:00:00Z", true],
    [{ days: ["sun"], from: "02:30", to: "02:45" }, "2026-03-29T01:00:00Z", false],
    [{ days: ["sun"], from: "02:30", to: "03:00" }, "2026-10-25T00:30:00Z", true],
    [{ days: ["sun"], from: "02:30", to: "03:00" }, "2026-10-25T01:00:00Z", false],
    [{ days: ["sun"], from: "02:30", to: "03:00" }, "2026-10-25T01:30:00Z", true],
    [{ tz: "asia/kathmandu", from: "00:00", to: "00:15" }, "2026-06-14T18:15:00Z", true],
  ])("%j at %s: %s", async (hours, time, answer) => {
    expect(await holds(weekly(hours), {}, Date.parse(time))).toBe(answer);
  });
});

it("a period begins with `after` and ends just before `before`", async () => {
  const when = { after: "2026-06-15T14:00:00+02:00", before: "2026-06-15T13:00:00Z" };
  const answers = [noon - 1, noon, noon + 3_599_999, noon + 3_600_000].map((now) => holds(when, {}, now));
  expect(await Promise.all(answers)).toEqual([false, true, true, false]);
});

it("a condition that a later version stored does not hold, and harms no other rule", async () => {
  const rules = [
    { when: { weather: ["rain"], country: ["DE"] }, url: `${url}-1` },
    { when: { country: ["DE"] }, url: `${url}-2` },
  ];
  const route = routeOf({ ...noRules, id: "id", destination: url, rules });
  const decision = await decide(route, noon, { country: () => "DE", id: () => "" });
  expect(decision).toMatchObject({ location: `${url}-2` });
});

describe("rules are refused, with the place of the mistake", () => {
  const rule = (when: object) => [{ when, url }];
  it.each<[rules: unknown, message: string]>([
    [rule({}), "0.when: must have at least one condition"],
    [rule({ weather: "rain" }), "0.when: weather: no such field; the known ones are country, continent,"],
    [rule({ country: [] }), "0.when.country: must not be empty"],
    [rule({ country: ["DE", "de"] }), "0.when.country: must name each one once"],
    [rule({ continent: ["XX"] }), "0.when.continent.0: must be one of AF, AN, AS, EU, NA, OC, SA"],
    [rule({ device: ["phone"] }), "0.when.device.0: must be one of desktop, mobile, tablet,"],
    [rule({ os: ["Plan 9"] }), "0.when.os.0: must be one of Android, BlackBerry,"],
    [rule({ browser: ["x\0"] }), "0.when.browser.0: must be a name that analytics use, such as "],
    [rule({ language: ["english!"] }), "0.when.language.0: must be a language tag"],
    [rule({ language: ["a".repeat(100_000)] }), "0.when.language.0: must be a language tag"],
    [rule({ referrer: ["https://news.example/"] }), "0.when.referrer.0: must be a host name"],
    [rule({ referrer: ["ü".repeat(100_000)] }), "0.when.referrer.0: must be a host name"],
    [rule({ query: [{ name: "" }] }), "0.when.query.0.name: must not be empty"],
    [rule({ query: [{ name: "a", value: "\0" }] }), "0.when.query.0.value: must not contain NUL"],
    [
      rule({ query: [{ name: "\uD800" }] }),
      "0.when.query.0.name: must not contain half a character (a lone surrogate)",
    ],
    [rule({ ip: ["10.0.0.0/33"] }), "0.when.ip.0: must be an address or a block"],
    [rule({ ip: ["::ffff:10.0.0.0/8"] }), "0.when.ip.0: must be an address or a block"],
    [rule({ ip: ["fe80::1%eth0"] }), "0.when.ip.0: must be an address or a block"],
    [rule({ after: "soon" }), "0.when.after: must be an ISO 8601 time"],
    [
      rule({ after: "2027-01-01T00:00Z", before: "2027-01-01T00:00Z" }),
      "0.when.before: must be later than after",
    ],
    [
      rule({ weekly: { tz: "+02:00", days: ["mon"], from: "09:00", to: "17:00" } }),
      "0.when.weekly.tz: must be the name of a time zone",
    ],
    [
      rule({ weekly: { tz: "UTC", days: ["mon"], from: "09:00", to: "24:00" } }),
      "0.when.weekly.to: must be a time of day",
    ],
    [Array.from({ length: 51 }, () => rule({ country: ["DE"] })[0]), ": must have at most 50 rules"],
    [[{ when: { country: ["DE"] }, url: "ftp://example.com" }], "0.url: must be an absolute http"],
    [[{ when: { country: ["DE"] }, url, name: "a\nb" }], "0.name: must not contain control characters"],
  ])("$1", (rules, message) => {
    const { error } = optionInputs.rules.safeParse(rules);
    const said = error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];
    expect(said).toContainEqual(expect.stringContaining(message));
  });
});
