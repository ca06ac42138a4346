import type { Condition, RedirectRules } from "./answers.ts";

type When = Record<string, unknown>;

/** Shlink's devices (its DeviceType) in the words of our analytics. */
const devices: Readonly<Record<string, When>> = {
  android: { os: ["Android"] },
  ios: { os: ["iOS"] },
  windows: { os: ["Windows"] },
  macos: { os: ["macOS"] },
  linux: { os: ["Linux"] },
  chromeos: { os: ["Chrome OS"] },
  mobile: { device: ["mobile", "tablet"] },
  desktop: { device: ["desktop"] },
};

const browsers: Readonly<Record<string, string>> = {
  chrome: "Chrome",
  firefox: "Firefox",
  edge: "Edge",
  safari: "Safari",
  opera: "Opera",
  android_browser: "Android Browser",
};

/** A condition of Shlink as ours; null if there is none like it. */
function whenOf({ type, matchKey, matchValue }: Condition): When | null {
  const value = matchValue ?? "";
  const name = matchKey ?? "";
  switch (type) {
    case "device":
      return devices[value] ?? null;
    case "browser":
      return browsers[value] === undefined ? null : { browser: [browsers[value]] };
    case "language":
      return { language: [value.replaceAll("_", "-")] };
    case "geolocation-country-code":
      return { country: [value.toUpperCase()] };
    case "ip-address":
      return { ip: [blockOf(value)] };
    case "query-param":
      return { query: [{ name, value }] };
    case "any-value-query-param":
      return { query: [{ name }] };
    case "valueless-query-param":
      return { query: [{ name, value: "" }] };
    case "before-date":
      return { before: value };
    case "after-date":
      return { after: value };
    default:
      return null;
  }
}

/** Shlink also has 192.0.*.* for a block. */
function blockOf(pattern: string): string {
  const stars = pattern.split(".*").length - 1;
  return stars === 0 ? pattern : `${pattern.replaceAll("*", "0")}/${32 - 8 * stars}`;
}

/** All conditions of a rule together; null if one has no twin, or two of the same kind cannot be one. */
function together(conditions: readonly Condition[]): When | null {
  const all: When = {};
  for (const condition of conditions) {
    const when = whenOf(condition);
    if (when === null) return null;
    for (const [kind, value] of Object.entries(when)) {
      const before = all[kind];
      if (before === undefined) all[kind] = value;
      // Of several parameters, each one must hold; in our other lists, any one.
      else if (kind === "query") all[kind] = [...(before as unknown[]), ...(value as unknown[])];
      else if (JSON.stringify(before) !== JSON.stringify(value)) return null;
    }
  }
  return all;
}

/** Destinations by device, of which null is the usual one, as redirect rules. */
export const rulesByDevice = (urls: Readonly<Record<string, string | null>>): RedirectRules => ({
  redirectRules: Object.entries(urls).flatMap(([device, longUrl], priority) =>
    longUrl === null ? [] : [{ longUrl, priority, conditions: [{ type: "device", matchValue: device }] }],
  ),
});

/** The rules of a short URL, in order; null if one of them would decide otherwise here. A rule without conditions never holds. */
export function toRules({ redirectRules }: RedirectRules): object[] | null {
  const rules = redirectRules
    .toSorted((a, b) => a.priority - b.priority)
    .filter(({ conditions }) => conditions.length > 0)
    .map(({ longUrl, conditions }) => ({ url: longUrl, when: together(conditions) }));
  return rules.every(({ when }) => when !== null) ? rules : null;
}
