import { describe, expect, it } from "vitest";
import { maxForwarded, type QueryMode, withPath, withQuery } from "../../../src/redirects/forward.ts";

describe("a forwarded path", () => {
  it.each([
    ["https://example.com/", "/a/b", "https://example.com/a/b"],
    ["https://example.com/docs", "/a", "https://example.com/docs/a"],
    ["https://example.com/docs/", "/a/", "https://example.com/docs/a/"],
    ["https://example.com/docs/", "//a", "https://example.com/docs//a"],
    ["https://example.com/docs", "/", "https://example.com/docs"],
    ["https://example.com/docs/?q=/#top", "/a", "https://example.com/docs/a?q=/#top"],
    ["https://example.com/#/app?x", "/a", "https://example.com/a#/app?x"],
    ["https://example.com/d", "/a%2Fb%20c+d;e=f/ü?#", "https://example.com/d/a%2Fb%20c+d;e=f/%C3%BC%3F%23"],
    ["https://example.com/d", "/%zz/%", "https://example.com/d/%zz/%"],
    ["https://example.com/d", "/.../..a/.b/a..", "https://example.com/d/.../..a/.b/a.."],
    ["https://example.com/d", "/a\r\nSet-Cookie: b=c", "https://example.com/d/a%0D%0ASet-Cookie:%20b=c"],
  ])("is added to %s: %s", (location, path, expected) => {
    expect(withPath(location, path)).toBe(expected);
  });

  it.each([
    "/../x",
    "/a/..",
    "/.",
    "/%2e%2E/x",
    "/.%2e",
    "/%252e%252e/x",
    "/%25252e./x",
    "/..%2fx",
    "/..%252fx",
    "/a%2f..%2f..%2fx",
    "/..;/x",
    "/%2e%2e;v=1/x",
    "/..\\x",
    "/a\\b",
    "/..%5cx",
    "/..%255cx",
  ])("that may lead out of the destination's path is refused: %s", (path) => {
    expect(withPath("https://example.com/docs/", path)).toBeNull();
  });

  it("is refused if it is too long, also only once it is encoded", () => {
    const base = "https://example.com";
    expect(withPath(base, `/${"a".repeat(maxForwarded - 1)}`)).toHaveLength(base.length + maxForwarded);
    expect(withPath(base, `/${"a".repeat(maxForwarded)}`)).toBeNull();
    expect(withPath(base, `/${"ü".repeat(maxForwarded / 6 + 1)}`)).toBeNull();
  });
});

describe("a forwarded query", () => {
  it.each<[string, string, QueryMode, string]>([
    ["https://example.com/", "a=1&a=2&b", "keep", "https://example.com/?a=1&a=2&b"],
    ["https://example.com/", "", "keep", "https://example.com/"],
    ["https://example.com/?", "", "override", "https://example.com/?"],
    ["https://example.com/?", "a", "keep", "https://example.com/?a"],
    ["https://example.com/?a=1#top?b", "b=2", "keep", "https://example.com/?a=1&b=2#top?b"],
    ["https://example.com/?a=1&b=2&a=3", "a=4&c=5", "keep", "https://example.com/?a=1&b=2&a=3&c=5"],
    ["https://example.com/?a=1&b=2&a=3", "a=4&c=5&a=", "override", "https://example.com/?b=2&a=4&c=5&a="],
    ["https://example.com/?a+b=1", "a%20b=2&A+b=3", "keep", "https://example.com/?a+b=1&A+b=3"],
    ["https://example.com/?a", "a=", "override", "https://example.com/?a="],
    [
      "https://example.com/?x=%2B&y=+",
      "z=%2B+%zz&q=é?#",
      "keep",
      "https://example.com/?x=%2B&y=+&z=%2B+%zz&q=%C3%A9?%23",
    ],
    ["https://example.com/?a=1", "?a=2&&=3&", "keep", "https://example.com/?a=1&?a=2&&=3&"],
    ["https://example.com/?a=1&&b=2", "a=3", "override", "https://example.com/?&b=2&a=3"],
    ["https://example.com/", "a=\r\nb: c", "keep", "https://example.com/?a=%0D%0Ab:%20c"],
  ])("is added to %s: %s, %s", (location, query, mode, expected) => {
    expect(withQuery(location, query, mode)).toBe(expected);
  });

  it("is refused if it is too long", () => {
    expect(withQuery("https://example.com/", "a".repeat(maxForwarded), "keep")).not.toBeNull();
    expect(withQuery("https://example.com/", "a".repeat(maxForwarded + 1), "keep")).toBeNull();
  });
});

/** mulberry32: the same numbers in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const pieces = [
  "a",
  "b",
  ".",
  "..",
  "/",
  "//",
  "%2e",
  "%2F",
  "%5c",
  "%252e",
  "%25",
  "\\",
  ";",
  "+",
  "%20",
  "é",
  "?",
  "#",
  "=",
  "&",
  "a=1",
  "%zz",
];
const some = (random: (below: number) => number, from: readonly string[]) =>
  Array.from({ length: random(7) }, () => from[random(from.length)]).join("");

/** What a chain of servers may make of a path, each of which decodes it. */
function decodings(path: string): string[] {
  const all = [path];
  for (;;) {
    const last = all.at(-1) ?? "";
    const next = last.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === last) return all;
    all.push(next);
  }
}

/** The path that is left when a server goes through the segments; null if it leads above the first one. */
function walked(path: string): string[] | null {
  const way: string[] = [];
  for (const segment of path.replaceAll("\\", "/").split("/")) {
    const name = segment.split(";")[0];
    if (name === ".." && way.pop() === undefined) return null;
    if (name !== ".." && name !== "." && segment !== "") way.push(segment);
  }
  return way;
}

describe("whatever is forwarded to whatever destination", () => {
  it("stays on the destination's host and below its path, as ASCII, with all that the destination has", () => {
    const random = randomFrom(14);
    let refused = 0;
    for (let run = 0; run < 10_000; run++) {
      const base = ["/", "/docs", "/docs/", "/a%2Fb/c"][random(4)] ?? "/";
      const [query, fragment] = [["", "?q=1", "?"][random(3)] ?? "", ["", "#top", "#/x?y"][random(3)] ?? ""];
      const path = `/${some(random, pieces)}`;
      const location = withPath(`https://example.com${base}${query}${fragment}`, path);
      if (location === null) {
        refused++;
        // Only what some server could take for a way up, or as another path, is refused.
        expect(path).toMatch(/\.|%(?:25)*2e|\\|%(?:25)*5c/i);
        continue;
      }
      expect(location).toMatch(/^[!-~]+$/);
      const end = query + fragment;
      expect(location.endsWith(end)).toBe(true);
      const { origin, href } = new URL(location);
      expect([origin, href.split(/[?#]/)[0]]).toEqual(["https://example.com", location.split(/[?#]/)[0]]);
      const sent = location.slice("https://example.com".length, location.length - end.length);
      const stem = base.replace(/\/$/, "");
      expect(sent === base || sent.startsWith(`${stem}/`)).toBe(true);
      const added = sent.slice(stem.length);
      for (const decoded of decodings(added)) expect(walked(decoded), `${path} as ${decoded}`).not.toBeNull();
    }
    expect(refused).toBeGreaterThan(1500);
  });

  it("has exactly the parameters that a simple merge of both queries has", () => {
    const random = randomFrom(15);
    const parameters = [
      "a=1",
      "a=",
      "a",
      "b=%20",
      "b=+",
      "c+d=1",
      "c%20d=2",
      "=x",
      "%61=3",
      "é=1",
      "a=1=2",
      "?a=9",
    ];
    const someOf = () => Array.from({ length: random(5) }, () => parameters[random(parameters.length)] ?? "");
    for (let run = 0; run < 10_000; run++) {
      const [ours, theirs] = [someOf(), someOf()];
      const mode = random(2) === 0 ? "keep" : "override";
      const own = new URL(`https://example.com/${ours.length > 0 ? `?${ours.join("&")}` : ""}#end`).href;
      const result = withQuery(own, theirs.join("&"), mode) ?? "";
      const entries = (query: readonly string[]) => [...new URLSearchParams(`&${query.join("&")}`)];
      const [mine, yours] = [entries(ours), entries(theirs)];
      const without = (list: string[][], other: string[][]) =>
        list.filter(([name]) => other.every(([taken]) => taken !== name));
      const expected =
        mode === "keep" ? [...mine, ...without(yours, mine)] : [...without(mine, yours), ...yours];
      const { search, hash } = new URL(result);
      expect([...new URLSearchParams(`&${search.slice(1)}`)], `${own} ${mode} ${theirs.join("&")}`).toEqual(
        expected,
      );
      expect(hash).toBe("#end");
      expect(result).toMatch(/^[!-~]+$/);
    }
  });
});
