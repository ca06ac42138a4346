import { later } from "../../kit/later.tsx";
import { useHas } from "../../kit/api/account.ts";
import { useState } from "react";
import { useKey } from "../../kit/shortcuts.ts";
import { Confirm } from "../../kit/Confirm.tsx";
import { useStrings } from "../../words/strings.tsx";
import { KeyCap, Shortcut } from "../../kit/Shortcut.tsx";
import { type ChangeOfAll, changeAll } from "./all.ts";
import type { inputOf } from "./search.ts";
import "./selection.css";

const ExpireDialog = later(() => import("./ExpireDialog.tsx"), "ExpireDialog");

const TagDialog = later(() => import("./TagDialog.tsx"), "TagDialog");

interface AllBarProps {
  /** The filter that chooses the links */
  input: ReturnType<typeof inputOf>;
  total: number;
  /** False if there may be more */
  isTotalExact: boolean;
  close: () => void;
}

/** What can be done with all links that pass the filters, also those that are not loaded. */
export function AllBar({ input, total, isTotalExact, close }: AllBarProps) {
  const strings = useStrings();
  const { linkList: words, jobs } = strings;
  const [asks, setAsks] = useState<"expiry" | "tags" | "deletion" | null>(null);
  const isLocked = useHas("link_options") === false;
  useKey("Delete", () => setAsks("deletion"));
  const change = (what: ChangeOfAll) => {
    close();
    void changeAll(input ?? {}, what, strings);
  };
  return (
    <section className="selection" aria-label={words.selection}>
      <p role="status">{jobs.allSelected(total, isTotalExact)}</p>
      <button type="button" className="button secondary" onClick={() => change({ set: { is_active: 0 } })}>
        {words.switchOff}
      </button>
      <button type="button" className="button secondary" onClick={() => change({ set: { is_active: 1 } })}>
        {words.switchOn}
      </button>
      <button
        type="button"
        className="button secondary"
        disabled={isLocked}
        onClick={() => setAsks("expiry")}
      >
        {isLocked ? `${words.expire} (${strings.builder.pro})` : words.expire}
      </button>
      <button type="button" className="button secondary" onClick={() => setAsks("tags")}>
        {strings.tags.title}
        <Shortcut name="t" meaning={strings.tags.title} run={() => setAsks("tags")} />
      </button>
      <button type="button" className="button secondary danger" onClick={() => setAsks("deletion")}>
        {words.delete}
      </button>
      <button type="button" className="text-button" onClick={close}>
        {words.deselect}
        <KeyCap>Esc</KeyCap>
      </button>
      {asks === "expiry" && (
        <ExpireDialog
          count={total}
          save={(expires_at) => change({ set: { expires_at } })}
          close={() => setAsks(null)}
        />
      )}
      {asks === "tags" && <TagDialog count={total} save={change} close={() => setAsks(null)} />}
      {asks === "deletion" && (
        <Confirm
          title={jobs.deleteTitle(total, isTotalExact)}
          action={jobs.deleteAll(total, isTotalExact)}
          isPending={false}
          close={() => setAsks(null)}
          onConfirm={() => change(null)}
        >
          <p>{jobs.deleteHint}</p>
        </Confirm>
      )}
    </section>
  );
}
