import { useQuery } from "@tanstack/react-query";
import { keyOfTag } from "@terse/core/browser";
import { api } from "./api.ts";

/** The account's tags, by name. */
export const useTags = () => useQuery(api.tags.list.queryOptions()).data ?? [];

/** Upper and lower case are the same tag. */
export const isSameTag = (left: string, right: string): boolean => keyOfTag(left) === keyOfTag(right);
