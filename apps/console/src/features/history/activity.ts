import { inWorkspace } from "../../kit/api/workspace.ts";
import type { AppRouter } from "@terse/core";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { addDays } from "../../kit/format/days.ts";
import { viewerZone } from "../../kit/format/format.ts";
import { momentIn } from "../../kit/format/zone.ts";

export type LogEntry = inferRouterOutputs<AppRouter>["audit"]["list"]["data"][number];
type Filter = NonNullable<inferRouterInputs<AppRouter>["audit"]["list"]>;

export const actorKinds = ["user", "key", "visitor", "operator", "service"] as const;

/** What the address of the activity log holds; days are those of the viewer's time zone, both included. */
export interface ActivitySearch {
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
  page?: number;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Reads the address; what it does not know is left out. */
export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const { actor, action, from, to, page } = search;
  return {
    ...(typeof actor === "string" && actor !== "" && { actor }),
    ...(typeof action === "string" && action !== "" && { action }),
    ...(typeof from === "string" && day.test(from) && { from }),
    ...(typeof to === "string" && day.test(to) && { to }),
    ...(Number.isSafeInteger(page) && Number(page) > 1 && { page: Number(page) }),
  };
}

/** The filter as the API has it. */
export const filterIn = ({ actor, action, from, to }: ActivitySearch): Filter => ({
  ...(actor && { actor }),
  ...(action && { action: action as LogEntry["action"] }),
  ...(from && { from: momentIn(viewerZone, `${from}T00:00`) }),
  ...(to && { to: momentIn(viewerZone, `${addDays(to, 1)}T00:00`) }),
});

/** The address of a file with all entries. */
export const fileUrl = (search: ActivitySearch, format: "csv" | "json"): string => {
  const query = { format, ...(format === "csv" && { bom: "true" }), ...filterIn(search) };
  return inWorkspace(`/v1/activity?${new URLSearchParams(query as Record<string, string>).toString()}`);
};
