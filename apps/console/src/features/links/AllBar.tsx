import { useState } from "react";
import { useMay } from "../../kit/api/account.ts";
import { TextButton } from "../../kit/Button.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { KeyCap } from "../../kit/Shortcut.tsx";
import { useKey } from "../../kit/shortcuts.ts";
import { useStrings } from "../../words/strings.tsx";
import { type ChangeOfAll, changeAll } from "./bulk.ts";
import { ChangeButtons } from "./ChangeButtons.tsx";
import type { inputOf } from "./search.ts";
import "./selection.css";

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
  const [isDeleting, setDeleting] = useState(false);
  const mayChange = useMay("links:write");
  useKey("Delete", () => setDeleting(mayChange));
  const change = (what: ChangeOfAll) => {
    close();
    void changeAll(input ?? {}, what, strings);
  };
  return (
    <section className="selection sheet line" aria-label={words.selection}>
      <p role="status">{jobs.allSelected(total, isTotalExact)}</p>
      <ChangeButtons
        count={total}
        setActive={(is_active) => change({ set: { is_active } })}
        expire={(expires_at) => change({ set: { expires_at } })}
        retag={change}
        handOver={({ user_id }) => change({ set: { created_by: user_id } })}
        move={({ id }) => change({ workspace: id })}
        remove={() => setDeleting(true)}
      />
      <TextButton onClick={close}>
        {words.deselect}
        <KeyCap>Esc</KeyCap>
      </TextButton>
      {isDeleting && (
        <Confirm
          title={jobs.deleteTitle(total, isTotalExact)}
          action={jobs.deleteAll(total, isTotalExact)}
          isPending={false}
          close={() => setDeleting(false)}
          onConfirm={() => change(null)}
        >
          <p>{jobs.deleteHint}</p>
        </Confirm>
      )}
    </section>
  );
}
