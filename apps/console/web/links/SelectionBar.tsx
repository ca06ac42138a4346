import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api } from "../api.ts";
import { formatExact } from "../format.ts";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { changeLinks } from "./bulk.ts";
import { saveFile, toCsv } from "./csv.ts";
import { deleteLater } from "./deletion.ts";
import { shortName } from "./link.ts";
import type { Selection } from "./selection.ts";

const ExpireDialog = lazy(async () => ({ default: (await import("./ExpireDialog.tsx")).ExpireDialog }));

/** What can be done with the selected links. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const strings = useStrings();
  const { linkList: words } = strings;
  const [isExpiring, setExpiring] = useState(false);
  const me = useQuery(api.users.me.queryOptions());
  const isFree = me.data?.plan === "free";
  const links = [...selection.links.values()];
  const count = links.length;

  const copy = async () => {
    await navigator.clipboard.writeText(links.map(({ shortUrl }) => shortUrl).join("\n"));
    say(words.copied(count));
  };
  const setActive = (is_active: 0 | 1) =>
    void changeLinks(links, { is_active }, is_active === 1 ? words.switchedOn : words.switchedOff, strings);
  const expire = (expires_at: string | null) => {
    setExpiring(false);
    const sentence = (n: number) =>
      expires_at === null ? words.neverExpires(n) : words.expires(n, formatExact(expires_at));
    void changeLinks(links, { expires_at }, sentence, strings);
  };
  const remove = () => {
    const [only] = links;
    const sentence = count === 1 && only ? strings.links.deleted(shortName(only)) : words.deleted(count);
    deleteLater([...selection.links.keys()], sentence);
    selection.clear();
  };
  return (
    <section className="selection" aria-label={words.selection}>
      <p role="status">{words.selected(count)}</p>
      <button type="button" className="quiet" onClick={() => void copy()}>
        {words.copy}
      </button>
      <button type="button" className="quiet" onClick={() => setActive(0)}>
        {words.switchOff}
      </button>
      <button type="button" className="quiet" onClick={() => setActive(1)}>
        {words.switchOn}
      </button>
      <button type="button" className="quiet" disabled={isFree} onClick={() => setExpiring(true)}>
        {isFree ? `${words.expire} (${strings.builder.pro})` : words.expire}
      </button>
      <button type="button" className="quiet" onClick={() => saveFile("links.csv", toCsv(links))}>
        {words.export}
      </button>
      <button type="button" className="quiet danger" onClick={remove}>
        {words.delete}
      </button>
      <button type="button" className="plain" onClick={selection.clear}>
        {words.deselect}
        <kbd>Esc</kbd>
      </button>
      {isExpiring && (
        <Suspense>
          <ExpireDialog count={count} save={expire} close={() => setExpiring(false)} />
        </Suspense>
      )}
    </section>
  );
}
