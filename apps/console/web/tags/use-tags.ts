import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";

/** The account's tags, by name. */
export const useTags = () => useQuery(api.tags.list.queryOptions()).data ?? [];

/** Upper and lower case are the same tag. */
export const isSameTag = (left: string, right: string): boolean => keyOf(left) === keyOf(right);

// Some letters come apart in lower case.
const keyOf = (tag: string) => tag.normalize("NFC").toLowerCase().normalize("NFC");
