import { createRequire } from "node:module";
import { array, assert, constantFrom, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { matches, parseRobots } from "../../../src/safety/health/robots.ts";

/** A second implementation, which takes any amount of time and memory */
const robotsParser = createRequire(import.meta.url)("robots-parser") as (
  address: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean | undefined };

const urlOf = (path: string) => new URL(`https://example.com${path}`);
const isAllowed = (text: string, path: string) => parseRobots(text, "TerseBot").allows(urlOf(path));

describe("the rules of a robots.txt", () => {
  it.each([
    ["no rules", "", "/a", true],
    ["for all robots", "User-agent: *\nDisallow: /a", "/ab", false],
    ["for another robot", "User-agent: Other\nDisallow: /", "/a", true],
    ["for this robot, by its own name", "user-agent: tersebot/2.0\ndisallow: /a", "/a", false],
    [
      "for this robot instead of all",
      "User-agent: *\nDisallow: /\nUser-agent: TerseBot\nDisallow:",
      "/a",
      true,
    ],
    ["a group of two names", "User-agent: TerseBot\nUser-agent: Other\nDisallow: /", "/a", false],
    ["groups that belong together", "User-agent: *\nAllow: /\n\nUser-agent: *\nDisallow: /a", "/a", false],
    ["the longer rule", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b", true],
    ["equally long rules", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true],
    ["an empty rule", "User-agent: *\nDisallow:", "/a", true],
    [
      "a comment, a mark and other lines",
      "\uFEFFUser-agent: * # all\r\nSitemap: x\r\nDisallow: /a#b",
      "/a",
      false,
    ],
    ["letters beyond ASCII, escaped or not", "User-agent: *\nDisallow: /ü\nDisallow: /%c3%a4", "/ä", false],
  ])("are read: %s", (_, text, path, allowed) => {
    expect(isAllowed(text, path)).toBe(allowed);
  });

  it.each([
    ["/*.pdf$", true],
    ["/*.pd$", false],
    ["/a*b*c", true],
    ["/a*c*b", false],
    ["/a/b/c.pdf$", true],
    ["/a/b$", false],
    ["*", true],
    ["/*$", true],
    ["/a/b/c.pdf*$", true],
    ["/a*pdf*pdf$", false],
  ])("match wildcards: %s", (pattern, does) => {
    expect(matches(pattern, "/a/b/c.pdf")).toBe(does);
  });

  it("agree with another parser on random files", () => {
    const path = string({ unit: constantFrom("a", "b", "/", "*", "$"), maxLength: 8 }).map(
      (end) => `/${end}`,
    );
    const line = record({
      key: constantFrom("Allow", "Disallow", "User-agent"),
      path,
      agent: constantFrom("*", "TerseBot", "Other"),
    }).map(({ key, path: rule, agent }) => `${key}: ${key === "User-agent" ? agent : rule}`);
    assert(
      property(array(line, { maxLength: 12 }), path, (lines, asked) => {
        const text = lines.join("\n");
        const url = urlOf(asked);
        const expected = robotsParser("https://example.com/robots.txt", text).isAllowed(url.href, "TerseBot");
        expect(isAllowed(text, asked)).toBe(expected ?? true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a hostile robots.txt", () => {
  it.each([
    ["half a million stars", `Allow: /${"*".repeat(500_000)}`],
    ["a long pattern with many stars", `Allow: /${"*a".repeat(100_000)}`],
    ["tens of thousands of rules", "Allow: /*a*b\n".repeat(40_000)],
  ])("allows nothing, and is not remembered: %s", (_, rules) => {
    const parsed = parseRobots(`User-agent: *\n${rules}`, "TerseBot");
    expect(parsed.allows(urlOf("/a"))).toBe(false);
    expect(parsed.bytes).toBeLessThan(1000);
  });

  it("is compared with the path only up to a limit", () => {
    const path = `/${"a".repeat(3000)}`;
    expect(isAllowed("User-agent: *\nAllow: /", path)).toBe(false);
    expect(isAllowed("", path)).toBe(true);
  });
});
