import type { Change } from "./changes.ts";

/** What a file in .changeset says of @terse/core. */
export interface Changeset {
  bump: string | undefined;
  summary: string;
}

/** Reads the front matter and the summary of a changeset. */
export function parseChangeset(text: string): Changeset {
  const [, releases = "", summary = ""] = /^\s*---\r?\n([^]*?)\r?\n---([^]*)$/.exec(text) ?? [];
  const [, bump] = /^\s*["']?@terse\/core["']?\s*:\s*["']?(\w+)/m.exec(releases) ?? [];
  return { bump, summary };
}

/** The smallest release that may break clients: before 1.0.0 a minor one, as semver has it. */
export const breakingBump = (version: string): "minor" | "major" =>
  version.startsWith("0.") ? "minor" : "major";

/** Returns the breaking changes whose operation no changeset with a large enough bump names. */
export function unannounced(changes: Change[], changesets: Changeset[], version: string): Change[] {
  const enough = new Set(["major", breakingBump(version)]);
  const summaries = changesets.filter(({ bump }) => bump && enough.has(bump)).map(({ summary }) => summary);
  return changes.filter(
    ({ severity, operation }) =>
      severity === "breaking" && !summaries.some((summary) => names(summary, operation)),
  );
}

/** "GET /v1/links/{id}" does not name "GET /v1/links". */
function names(summary: string, operation: string): boolean {
  return summary
    .split(operation)
    .slice(1)
    .some((rest) => !/^[\w{}/-]/.test(rest));
}
