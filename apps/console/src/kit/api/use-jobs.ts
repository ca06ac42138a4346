import { useQuery } from "@tanstack/react-query";
import type { Answers } from "./answers.ts";
import { api } from "./api.ts";

export type Job = Answers["jobs"]["list"]["data"][number];

export const isOpen = ({ ended_at }: Job) => ended_at === null;
/** Milliseconds between two looks at jobs under way */
const pause = 1000;

/** The account's last jobs, the newest first. They are read again while one is under way. */
export function useJobs(): readonly Job[] {
  const list = useQuery({
    ...api.jobs.list.queryOptions({ limit: 20 }),
    refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? pause : false),
  });
  return list.data?.data ?? [];
}
