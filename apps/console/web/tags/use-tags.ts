import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";

/** The account's tags, by name. */
export const useTags = () => useQuery(api.tags.list.queryOptions()).data ?? [];

/** Upper and lower case are the same tag. */
export const isSameTag = (one: string, other: string): boolean =>
  one.normalize("NFC").toLowerCase() === other.normalize("NFC").toLowerCase();
