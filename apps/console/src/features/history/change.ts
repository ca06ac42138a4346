import type { Answers } from "../../kit/api/answers.ts";
import { formatCount, formatMinute } from "../../kit/format/format.ts";
import type { Strings } from "../../words/en.ts";

export type Change = Answers["changes"]["list"]["data"][number];

/** Changes of these fields do not change where visitors end up. */
const silent = new Set(["title", "notes", "tags", "slug", "disabled_reason", "preview", "created_by"]);

/** Whether a change decides where visitors end up, from then on. */
export const leadsElsewhere = ({ action, fields }: Change): boolean =>
  action !== "create" && (action !== "update" || Object.keys(fields).some((name) => !silent.has(name)));

/** A field's name; as the API has it, if the console does not know it. */
export const fieldName = (name: string, { history }: Strings): string =>
  history.fields[name] ?? name.replaceAll("_", " ");

const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of a field in a few words. */
export function valueName(name: string, value: unknown, { history }: Strings): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return history.none;
  if (name === "created_by") return (value as { name: string }).name;
  if (name === "is_active") return value === 1 ? history.on : history.off;
  if (value === "***") return history.hidden;
  if (typeof value === "string")
    return time.test(value) ? formatMinute(value) : value.replace(/^https?:\/\//, "");
  if (typeof value === "boolean") return value ? history.on : history.off;
  if (Array.isArray(value)) {
    return value.every((each) => typeof each === "string") ? value.join(", ") : history.entries(value.length);
  }
  if (typeof value === "object" && "variants" in value)
    return history.entries((value.variants as unknown[]).length);
  if (typeof value === "object") return Object.values(value).filter(Boolean).join(" · ");
  return typeof value === "number" ? formatCount(value) : "";
}

/** What happened in a few words, such as "Destination and title changed". */
export function summary(change: Change, strings: Strings): string {
  const { history } = strings;
  const { action, links, fields } = change;
  if (action !== "update") return history.actions[action](links);
  const names = Object.keys(fields).map((name) => fieldName(name, strings));
  return links > 1 ? history.changedMany(names, links) : history.changed(names);
}

/** Creations one after the other by the same author are shown as one line. */
export function folded(changes: readonly Change[]): (Change & { count: number })[] {
  const lines: (Change & { count: number })[] = [];
  for (const change of changes) {
    const last = lines.at(-1);
    const isSame =
      last?.action === "create" &&
      change.action === "create" &&
      last.by.kind === change.by.kind &&
      last.by.name === change.by.name &&
      Math.abs(Date.parse(last.at) - Date.parse(change.at)) < 10_000;
    if (last && isSame) last.count += 1;
    else lines.push({ ...change, count: 1 });
  }
  return lines;
}
