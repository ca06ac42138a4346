import { fromFilter, type ReportSearch } from "./search.ts";

/** A report's state, which is in the address, and how to change it. */
export interface ReportState {
  /** The link that the report is about; undefined for the whole account */
  id: string | undefined;
  search: ReportSearch;
  /** The time zone of its hours, days and months */
  zone: string;
  /** `push` if the browser's back button should undo the change */
  change(update: (before: ReportSearch) => ReportSearch, history?: "push"): void;
}

/** What a report with this state is about: a link, else the only tag that it is filtered by, else all links. */
export function subjectOf({ id, search }: ReportState): { link_id?: string; tag?: string } {
  const [tag, ...more] = search.tag ?? [];
  if (id !== undefined) return { link_id: id };
  const isOne = tag !== undefined && more.length === 0 && !/^(!|\(none\)$)/.test(tag);
  return isOne ? { tag: fromFilter(tag) } : {};
}
