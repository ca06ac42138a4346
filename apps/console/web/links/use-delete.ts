import { useStrings } from "../strings/strings.tsx";
import { deleteLater } from "./deletion.ts";
import { type Link, shortName } from "./link.ts";

/** Deletes links, and says so with a way back. */
export function useDelete(): (links: readonly Link[]) => void {
  const { links: one, linkList: many } = useStrings();
  return (links) => {
    const ids = links.map(({ id }) => id);
    const [first] = links;
    if (!first) return;
    if (links.length > 1) return deleteLater(ids, many.deleted(ids.length), many.notDeleted);
    const name = shortName(first);
    deleteLater(ids, one.deleted(name), (reason) => one.notDeleted(name, reason));
  };
}
