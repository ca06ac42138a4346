import { Link } from "@tanstack/react-router";
import { readSearch, withTag } from "./search.ts";
import { useStrings } from "../../words/strings.tsx";

const shown = 2;

/** The first tags of a link in a list, each of which filters the list by itself, and how many more there are. */
export function TagChips({ tags }: { tags: readonly string[] }) {
  const { tags: words } = useStrings();
  const more = tags.slice(shown);
  return (
    <>
      {tags.slice(0, shown).map((tag) => (
        <Link
          key={tag}
          to="/"
          search={(before) => withTag(readSearch(before), tag)}
          className="tag-chip"
          aria-label={words.filterBy(tag)}
          dir="auto"
        >
          {tag}
        </Link>
      ))}
      {more.length > 0 && <span title={more.join(", ")}>+{more.length}</span>}
    </>
  );
}
