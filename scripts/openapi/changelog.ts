import type { Change } from "./changes.ts";

/** What CHANGELOG.md says of the next release: all of it, and the part that breaks clients. */
export function unreleased(changelog: string): { text: string; breaking: string } {
  const [, text = ""] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
  const [, breaking = ""] = /^### Breaking\n([^]*?)(?=^### |$(?![^]))/m.exec(text) ?? [];
  return { text: text.trim(), breaking: breaking.trim() };
}

/** Whether a release may break clients of the one before: semver allows it a minor one before 1.0.0, then a major one. */
export function mayBreak(from: string, to: string): boolean {
  const [major, minor] = from.split(".");
  const [nextMajor, nextMinor] = to.split(".");
  return major !== nextMajor || (major === "0" && minor !== nextMinor);
}

/** The changes whose operation the changelog does not name. */
export const unannounced = (changes: Change[], breaking: string): Change[] =>
  changes.filter(({ operation }) => !names(breaking, operation));

/** "GET /v1/links/{id}" does not name "GET /v1/links". */
function names(text: string, operation: string): boolean {
  return text
    .split(operation)
    .slice(1)
    .some((rest) => !/^[\w{}/-]/.test(rest));
}
