import { useQueries } from "@tanstack/react-query";
import { type Dimension, dimensions } from "@terse/core/browser";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { api } from "../../kit/api/api.ts";
import { shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { SmallDialog } from "../../kit/SmallDialog.tsx";
import { FilterEditor } from "./FilterEditor.tsx";
import type { Figures } from "./figures.ts";
import { valueName } from "./names.ts";
import { filtersOf, withFilter, type ReportState } from "./search.ts";
import { TextButton } from "../../kit/Button.tsx";
import "./filters.css";

const accountNames = dimensions.filter((name) => name !== "variant");
const linkNames = dimensions.filter((name) => name !== "link_id" && name !== "domain");

/** The filters of a report as chips that read as a sentence, each with a way to change and to remove it. */
export function FilterBar({ state, figures }: { state: ReportState; figures: Figures | undefined }) {
  const strings = useStrings();
  const { analytics } = strings;
  const { id, search, change } = state;
  const [editing, setEditing] = useState<{ name: Dimension | null; isNot: boolean } | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const close = () => {
    // An open dialog keeps the focus inside of itself.
    flushSync(() => setEditing(null));
    add.current?.focus();
  };
  const names = useLinkNames(linkIdsIn(search.link_id));
  const chips = dimensions.flatMap((name) =>
    [false, true].flatMap((isNot) => {
      const values = (search[name] ?? []).filter((value) => value.startsWith("!") === isNot);
      if (values.length === 0) return [];
      const texts = values
        .map((value) => value.replace(/^!/, ""))
        .map((value) => names.get(value) ?? valueName(name, value, strings));
      const text = analytics.filters[name].chip(strings.rules.any(texts), isNot);
      return [{ key: `${name} ${isNot}`, name, isNot, values, text }];
    }),
  );
  const offered =
    id === undefined
      ? accountNames
      : linkNames.filter((name) => name !== "variant" || figures?.variants?.length);
  return (
    <div ref={bar} className="filter-chips line" role="group" aria-label={analytics.filtersTitle}>
      {chips.map(({ key, name, isNot, values, text }) => (
        <span key={key} className="filter-chip">
          <button
            type="button"
            className="ellipsis"
            aria-haspopup="dialog"
            onClick={() => setEditing({ name, isNot })}
          >
            {text}
          </button>
          <button
            type="button"
            aria-label={analytics.removeFilter(text)}
            onClick={() => {
              change(
                (before) =>
                  withFilter(
                    before,
                    name,
                    (before[name] ?? []).filter((value) => !values.includes(value)),
                  ),
                "push",
              );
              add.current?.focus();
            }}
          >
            ✕
          </button>
        </span>
      ))}
      <button
        ref={add}
        type="button"
        className="filter-add"
        aria-haspopup="dialog"
        onClick={() => setEditing({ name: null, isNot: false })}
      >
        + {analytics.addFilter}
        <Shortcut
          name="f"
          meaning={analytics.addFilter}
          run={() => setEditing({ name: null, isNot: false })}
        />
      </button>
      {chips.length > 1 && (
        <TextButton
          onClick={() => {
            change((before) => {
              const filters = Object.keys(filtersOf(before));
              return Object.fromEntries(Object.entries(before).filter(([name]) => !filters.includes(name)));
            }, "push");
            add.current?.focus();
          }}
        >
          {analytics.clearFilters}
        </TextButton>
      )}
      {editing !== null && (
        <SmallDialog
          trigger={bar}
          title={editing.name ? analytics.filters[editing.name].title : analytics.addFilter}
          close={close}
        >
          {editing.name ? (
            <FilterEditor
              key={editing.name}
              name={editing.name}
              startsNot={editing.isNot}
              state={state}
              figures={figures}
              done={close}
            />
          ) : (
            <FilterChoices names={offered} choose={(name) => setEditing({ name, isNot: false })} />
          )}
        </SmallDialog>
      )}
    </div>
  );
}

interface FilterChoicesProps {
  names: readonly Dimension[];
  choose: (name: Dimension) => void;
}

/** What can be filtered by; a few letters and Enter choose. */
function FilterChoices({ names, choose }: FilterChoicesProps) {
  const { analytics } = useStrings();
  const [text, setText] = useState("");
  const titleOf = (name: Dimension) => analytics.filters[name].title;
  const found = names.filter((name) => titleOf(name).toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <>
      <input
        className="input"
        type="search"
        autoFocus
        aria-label={analytics.findFilter}
        placeholder={analytics.findFilter}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && found[0]) choose(found[0]);
        }}
      />
      <ul className="filter-choices">
        {found.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => choose(name)}>
              {titleOf(name)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

const linkIdsIn = (values: readonly string[] = []) => values.map((value) => value.replace(/^!/, ""));

/** The short URLs of links by id; a link that is gone has the beginning of its id. */
export function useLinkNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const links = useQueries({
    queries: ids.map((id) => api.links.get.queryOptions({ id }, { staleTime: 60_000 })),
  });
  return new Map(ids.map((id, at) => [id, links[at]?.data ? shortName(links[at].data) : id.slice(0, 8)]));
}
