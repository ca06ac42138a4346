import { useStrings } from "../../words/strings.tsx";
import { deleteLater } from "./deletion.ts";
import { type Link, shortName } from "../../kit/api/link.ts";

/** Deletes links, and says so with a way back. */
export function useDelete(): (links: readonly Link[]) => void {
  const { links: one, linkList: many } = useStrings();
  return (links) => {
    const ids = links.map(({ id }) => id);
    const [first] = links;
    if (!first) return;
    deleteLater(ids, links.length === 1 ? one.deleted(shortName(first)) : many.deleted(links.length));
  };
}
