import { toHostName } from "./host-name.ts";

/** The addresses that a hosts file blocks a name with; any other maps the name to a machine. */
const sinkholeEntry = /^(?:0\.0\.0\.0|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1?)[ \t]+/;
/** Rules with a path, or with options that limit them to some requests, do not block a host. */
const adBlockRule = /^\|\|([^\s/^$|]+)\^(?:\$(?:(?:all|doc|document|important|popup)(?:,|$))+)?$/;
const localNames = new Set(["localhost.localdomain", "0.0.0.0"]);

/**
 * Returns the hosts that a line of a host list names: none for a comment or a blank line, null where it is in none of
 * the three formats, which are a hosts file's (`0.0.0.0 bad.example`), a plain name or wildcard (`bad.example`,
 * `*.bad.example`), and an ad blocker's (`||bad.example^`). A wildcard stands for the domain as well.
 */
export function hostsOfLine(line: string): string[] | null {
  const text = withoutComment(line.trim());
  if (text === "") return [];
  const rule = adBlockRule.exec(text);
  if (rule?.[1] !== undefined) return toHostNames([withoutWildcard(rule[1])]);
  const address = sinkholeEntry.exec(text);
  if (address !== null) {
    const names = text.slice(address[0].length).split(/[ \t]+/);
    // This machine's own names, such as localhost and ip6-loopback, mostly have no dot.
    return toHostNames(names.filter((name) => name.includes(".") && !localNames.has(name)));
  }
  const domain = withoutWildcard(text);
  // A bare word names no host; a wildcard may stand below a top-level domain.
  return domain === text && !domain.includes(".") ? null : toHostNames([domain]);
}

function withoutComment(text: string): string {
  if (text.startsWith("!") || text.startsWith("#") || text.startsWith("[")) return "";
  const hash = text.indexOf("#");
  return hash > 0 && /\s/.test(text.charAt(hash - 1)) ? text.slice(0, hash).trimEnd() : text;
}

const withoutWildcard = (name: string) => name.replace(/^\*?\./, "");

function toHostNames(names: readonly string[]): string[] | null {
  const hosts: string[] = [];
  for (const name of names) {
    const host = toHostName(name);
    if (host === null) return null;
    hosts.push(host);
  }
  return hosts;
}
