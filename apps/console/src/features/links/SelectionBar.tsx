import { later } from "../../kit/later.tsx";
import { useHas } from "../../kit/api/account.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { formatExact } from "../../kit/format/format.ts";
import { maxOnSheet } from "../qr/sheet.ts";
import { useStrings } from "../../words/strings.tsx";
import { retagLinks } from "./retag.ts";
import { copyAndSay } from "../../kit/clipboard.ts";
import { saveCsv } from "../../kit/format/csv.ts";
import { KeyCap, Shortcut } from "../../kit/Shortcut.tsx";
import { changeLinks } from "./bulk.ts";
import { csvOfLinks } from "./csv.ts";
import type { Selection } from "./selection.ts";
import { useDelete } from "./use-delete.ts";
import "./selection.css";

const ExpireDialog = later(() => import("./ExpireDialog.tsx"), "ExpireDialog");

const TagDialog = later(() => import("./TagDialog.tsx"), "TagDialog");

interface SelectionBarProps {
  selection: Selection;
  /** Links that pass the filters */
  total: number;
  /** False if there may be more */
  isTotalExact: boolean;
  selectAll: () => void;
}

/** What can be done with the selected links. */
export function SelectionBar({ selection, total, isTotalExact, selectAll }: SelectionBarProps) {
  const strings = useStrings();
  const { linkList: words } = strings;
  const deleteLinks = useDelete();
  const [isExpiring, setExpiring] = useState(false);
  const [isTagging, setTagging] = useState(false);
  const isLocked = useHas("link_options") === false;
  const links = [...selection.links.values()];
  const count = links.length;

  const copy = () =>
    copyAndSay(
      links.map(({ shortUrl }) => shortUrl).join("\n"),
      words.copied(count),
      strings.links.notCopied(words.shortUrls(count)),
    );
  const setActive = (is_active: 0 | 1) =>
    void changeLinks(links, { is_active }, is_active === 1 ? words.switchedOn : words.switchedOff, strings);
  const expire = (expires_at: string | null) => {
    setExpiring(false);
    const sentence = (n: number) =>
      expires_at === null ? words.neverExpires(n) : words.expires(n, formatExact(expires_at));
    void changeLinks(links, { expires_at }, sentence, strings);
  };
  const remove = () => {
    deleteLinks(links);
    selection.clear();
  };
  return (
    <section className="selection" aria-label={words.selection}>
      <p role="status">{words.selected(count)}</p>
      {(total > count || !isTotalExact) && (
        <button type="button" className="text-button" onClick={selectAll}>
          {strings.jobs.selectAll(total, isTotalExact)}
        </button>
      )}
      <button type="button" className="button secondary" onClick={() => void copy()}>
        {words.copy}
      </button>
      <button type="button" className="button secondary" onClick={() => setActive(0)}>
        {words.switchOff}
      </button>
      <button type="button" className="button secondary" onClick={() => setActive(1)}>
        {words.switchOn}
      </button>
      <button
        type="button"
        className="button secondary"
        disabled={isLocked}
        onClick={() => setExpiring(true)}
      >
        {isLocked ? `${words.expire} (${strings.builder.pro})` : words.expire}
      </button>
      <button type="button" className="button secondary" onClick={() => setTagging(true)}>
        {strings.tags.title}
        <Shortcut name="t" meaning={strings.tags.title} run={() => setTagging(true)} />
      </button>
      <button
        type="button"
        className="button secondary"
        onClick={() => saveCsv("links.csv", csvOfLinks(links))}
      >
        {words.export}
      </button>
      {count <= maxOnSheet && (
        <Link to="/qr" search={{ ids: [...selection.links.keys()].join() }} className="button secondary">
          {words.qrSheet}
        </Link>
      )}
      <button type="button" className="button secondary danger" onClick={remove}>
        {words.delete}
      </button>
      <button type="button" className="text-button" onClick={selection.clear}>
        {words.deselect}
        <KeyCap>Esc</KeyCap>
      </button>
      {isTagging && (
        <TagDialog
          count={count}
          save={(retagging) => {
            setTagging(false);
            void retagLinks(links, retagging, strings);
          }}
          close={() => setTagging(false)}
        />
      )}
      {isExpiring && <ExpireDialog count={count} save={expire} close={() => setExpiring(false)} />}
    </section>
  );
}
