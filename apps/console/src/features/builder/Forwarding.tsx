import { withPath, withQuery } from "@terse/core/browser";
import { useStrings } from "../../words/strings.tsx";
import { SelectField, Check } from "../../kit/Choices.tsx";
import { withScheme } from "../../kit/format/url.ts";
import type { GroupProps } from "./Advanced.tsx";
import { queryModes, statuses } from "./draft.ts";

/** What a visit adds to the short URL in the example. */
const example = { path: "/a/b", query: "ref=mail" };

/** With which status the link redirects, and what it passes on of a visit, with an example. */
export function Forwarding({ draft, change, errors }: GroupProps) {
  const { forwarding: words } = useStrings();
  const { redirect_status: status, forward_query: query, forward_path: path } = draft;
  return (
    <>
      <SelectField
        label={words.status}
        value={status}
        values={statuses}
        textOf={(each) => `${each} · ${words.statuses[each]}`}
        onChange={(redirect_status) => change({ redirect_status })}
        error={errors["redirect_status"]}
        hint={words.meanings[status]}
      />
      <SelectField
        label={words.query}
        value={query}
        values={queryModes}
        textOf={(mode) => words.queries[mode]}
        onChange={(forward_query) => change({ forward_query })}
      />
      <Check checked={path} onChange={(isChecked) => change({ forward_path: isChecked })}>
        {words.path}
      </Check>
      {(path || query !== "none") && <Example {...draft} />}
    </>
  );
}

/** A visit and where it ends up, by the service's own rules. */
function Example({ url, slug, forward_path: path, forward_query: query }: GroupProps["draft"]) {
  const { forwarding: words } = useStrings();
  const destination = URL.parse(withScheme(url))?.href;
  const asked = `/${slug.trim() || "…"}${path ? example.path : ""}${query === "none" ? "" : `?${example.query}`}`;
  const location = destination && ((path && withPath(destination, example.path)) || destination);
  const final = location && query !== "none" ? withQuery(location, example.query, query) : location;
  if (!final) return null;
  return (
    <p className="forward-example" dir="ltr">
      <span>{asked}</span>
      <span aria-label={words.leadsTo}>→</span>
      <span>{final.replace(/^https?:\/\//, "")}</span>
    </p>
  );
}
