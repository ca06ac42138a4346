import type { ReactNode } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { type Change, fieldName, summary, valueName } from "./change.ts";
import { useMay } from "../../kit/api/account.ts";
import { useUndo } from "../../kit/api/undo.ts";
import { TextButton } from "../../kit/Button.tsx";
import "./history.css";

interface ChangeRowProps {
  change: Change;
  /** What it was about, if that is not clear from the place */
  children?: ReactNode;
  /** Creations that this line stands for */
  count?: number;
}

/** One change: what, from what to what, by whom and when, with a way back. */
export function ChangeRow({ change, children, count = 1 }: ChangeRowProps) {
  const strings = useStrings();
  const { history } = strings;
  const undo = useUndo();
  const mayChange = useMay("links:write");
  const { action, at, by, fields, links, undone_by, undoes } = change;
  const author = history.authors[by.kind](by.name);
  const isUndone = undone_by !== null;
  // A creation is undone by deleting the link, which the link's page offers itself.
  const canUndo = mayChange && !isUndone && action !== "create" && by.kind !== "admin";
  const verb = action === "delete" ? history.bringBack : undoes === null ? history.undo : history.redo;
  const what = count > 1 ? history.createdMany(count) : summary(change, strings);
  return (
    <li className="change-row" data-undone={isUndone || undefined}>
      <p className="change-what line">
        <b>{what}</b>
        {count === 1 && children}
      </p>
      {action === "update" && links === 1 && (
        <ul className="change-values">
          {Object.entries(fields).map(([name, { from, to }]) => (
            <li key={name}>
              {Object.keys(fields).length > 1 && (
                <span className="soft change-field">{fieldName(name, strings)}: </span>
              )}
              <del>{valueName(name, from, strings)}</del> <span aria-hidden="true">→</span>{" "}
              <ins>{valueName(name, to, strings)}</ins>
            </li>
          ))}
        </ul>
      )}
      <p className="note change-who line">
        <span>
          {author} · <Ago at={at} />
          {undoes !== null && ` · ${history.isUndo}`}
          {isUndone && ` · ${history.wasUndone}`}
        </span>
        {canUndo && (
          <TextButton
            disabled={undo.isPending}
            aria-label={`${verb}: ${what}`}
            onClick={() => undo.mutate({ id: change.id })}
          >
            {verb}
          </TextButton>
        )}
      </p>
    </li>
  );
}
