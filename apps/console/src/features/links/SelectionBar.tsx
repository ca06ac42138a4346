import { Link } from "@tanstack/react-router";
import { Button, TextButton } from "../../kit/Button.tsx";
import { copyAndSay } from "../../kit/clipboard.ts";
import { csvOf, saveCsv } from "../../kit/format/csv.ts";
import { formatExact } from "../../kit/format/format.ts";
import type { Link as ShortLink } from "../../kit/api/link.ts";
import type { Workspace } from "../../kit/api/members.ts";
import { KeyCap } from "../../kit/Shortcut.tsx";
import { useStrings } from "../../words/strings.tsx";
import { maxOnSheet } from "../qr/sheet.ts";
import { changeLinks, handOver, moveLinks, retagLinks } from "./bulk.ts";
import { ChangeButtons } from "./ChangeButtons.tsx";
import { useDelete } from "./deletion.ts";
import type { Selection } from "./selection.ts";
import "./selection.css";

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
    const sentence = (n: number) =>
      expires_at === null ? words.neverExpires(n) : words.expires(n, formatExact(expires_at));
    void changeLinks(links, { expires_at }, sentence, strings);
  };
  const move = (to: Workspace) => {
    void moveLinks([...selection.links.keys()], to, strings);
    selection.clear();
  };
  const remove = () => {
    deleteLinks(links);
    selection.clear();
  };
  return (
    <section className="selection sheet line" aria-label={words.selection}>
      <p role="status">{words.selected(count)}</p>
      {(total > count || !isTotalExact) && (
        <TextButton onClick={selectAll}>{strings.jobs.selectAll(total, isTotalExact)}</TextButton>
      )}
      <Button onClick={() => void copy()}>{words.copy}</Button>
      <ChangeButtons
        count={count}
        setActive={setActive}
        expire={expire}
        retag={(retagging) => void retagLinks(links, retagging, strings)}
        handOver={(to) => void handOver([...selection.links.keys()], to, strings)}
        move={move}
        remove={remove}
      />
      <Button onClick={() => saveCsv("links.csv", csvOfLinks(links))}>{words.export}</Button>
      {count <= maxOnSheet && (
        <Link to="/qr" search={{ ids: [...selection.links.keys()].join() }} className="button secondary">
          {words.qrSheet}
        </Link>
      )}
      <TextButton onClick={selection.clear}>
        {words.deselect}
        <KeyCap>Esc</KeyCap>
      </TextButton>
    </section>
  );
}

const columns = [
  "short_url",
  "destination",
  "title",
  "click_count",
  "is_active",
  "created_at",
  "updated_at",
  "last_click_at",
  "expires_at",
  "has_password",
  "tags",
  "notes",
] as const satisfies readonly (keyof ShortLink)[];

/** Links as CSV, as the service's export writes them. */
const csvOfLinks = (links: readonly ShortLink[]): string =>
  csvOf([
    columns,
    ...links.map((link) => columns.map((column) => (column === "tags" ? tagsCell(link.tags) : link[column]))),
  ]);

const tagsCell = (tags: readonly string[]) => tags.map((tag) => tag.replaceAll(/[\\|]/g, "\\$&")).join("|");
