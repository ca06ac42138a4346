import type { Dimension } from "../clicks/dimension-names.ts";
import type { Report } from "./analytics.schema.ts";
import type { ClickQuestion, Groups } from "./question.ts";

/** The groups of a report, with a field for each dimension. */
export const groupLists = (
  groups: Groups | null,
  { groupBy, before }: Pick<ClickQuestion, "groupBy" | "before">,
): Pick<Report, "groups" | "other_groups"> => ({
  groups:
    groups?.listed.map(({ values, counts, before: earlier }) => ({
      ...(Object.fromEntries(groupBy.map((name, at) => [name, values[at]])) as Partial<
        Record<Dimension, string>
      >),
      ...counts,
      previous: before && earlier,
    })) ?? null,
  other_groups: groups && groups.others,
});
