/** What a robots.txt allows one robot (RFC 9309): pure rules, which a hostile file cannot make expensive. */

/** Rules for a robot, and characters of their patterns together. A file with more of them allows nothing. */
const maxRules = 2000;
const maxPatterns = 128 * 1024;
/** Characters of a path and query that are compared with the rules; a longer one is not allowed if there are any. */
const maxPath = 2000;
/** Memory of a rule besides its pattern, about */
const ruleBytes = 100;

/** Lines that matter, wherever they are */
const fields = /^[ \t\uFEFF]*(user-agent|allow|disallow)[ \t]*:(.*)/gim;

export interface RobotsRules {
  allows(url: URL): boolean;
  /** Memory that the rules take, about */
  readonly bytes: number;
}

interface Rule {
  readonly pattern: string;
  readonly isAllowed: boolean;
}

/** The rules for `agent`, a product token; those for all robots if the file does not name it. */
export function parseRobots(text: string, agent: string): RobotsRules {
  const token = agent.toLowerCase();
  const groups = { own: newGroup(), all: newGroup() };
  let isOwnNamed = false;
  let isGroupHead = false;
  let isFor = { own: false, all: false };
  for (const [, name = "", rest = ""] of text.matchAll(fields)) {
    const key = name.toLowerCase();
    const value = rest.split("#", 1)[0]?.trim() ?? "";
    if (key === "user-agent") {
      if (!isGroupHead) isFor = { own: false, all: false };
      isGroupHead = true;
      const robot = /^(?:\*|[a-z_-]+)/i.exec(value)?.[0].toLowerCase();
      if (robot === "*") isFor.all = true;
      if (robot === token) isFor.own = true;
    } else {
      isGroupHead = false;
      if (isFor.own) {
        isOwnNamed = true;
        groups.own.add(value, key === "allow");
      }
      if (isFor.all) groups.all.add(value, key === "allow");
    }
  }
  return (isOwnNamed ? groups.own : groups.all).toRules();
}

function newGroup() {
  const rules: Rule[] = [];
  let length = 0;
  return {
    add(value: string, isAllowed: boolean) {
      if (value === "" || isTooLarge()) return;
      const pattern = normalized(value);
      length += pattern.length;
      rules.push({ pattern, isAllowed });
      if (isTooLarge()) rules.length = 0;
    },
    toRules(): RobotsRules {
      if (isTooLarge()) return { allows: () => false, bytes: ruleBytes };
      // The longest pattern decides, and of two equally long ones the one that allows.
      const sorted = rules.toSorted(
        (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed),
      );
      return {
        bytes: ruleBytes * (1 + sorted.length) + length,
        allows({ pathname, search }) {
          const path = upperCaseEscapes(pathname + search);
          if (path.length > maxPath) return sorted.length === 0;
          return sorted.find(({ pattern }) => matches(pattern, path))?.isAllowed ?? true;
        },
      };
    },
  };

  function isTooLarge(): boolean {
    return rules.length > maxRules || length > maxPatterns;
  }
}

/** As paths are written in a URL; also a copy, since a slice would keep the whole file in memory. */
function normalized(pattern: string): string {
  try {
    return upperCaseEscapes(encodeURI(pattern).replaceAll("%25", "%"));
  } catch {
    return Buffer.from(pattern).toString(); // half of a surrogate pair
  }
}

const upperCaseEscapes = (text: string) => text.replaceAll(/%[0-9a-fA-F]{2}/g, (code) => code.toUpperCase());

/** Whether a path begins with a pattern, in which `*` is any text and a final `$` the end. Each part is searched after the last. */
export function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [start = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(start)) return false;
  if (isWhole && parts.length === 0) return path.length === start.length;
  const end = isWhole ? (parts.pop() ?? "") : "";
  let at = start.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - end.length >= at && path.endsWith(end);
}
