import { Link } from "@tanstack/react-router";
import { Ago } from "../../kit/Ago.tsx";
import { useStrings } from "../../words/strings.tsx";
import type { LogEntry } from "./activity.ts";
import { fieldName, valueName } from "./change.ts";
import "./history.css";

/** One entry: what was done to what, from what to what, by whom, from where and when. */
export function ActivityRow({ entry }: { entry: LogEntry }) {
  const strings = useStrings();
  const { log, settings } = strings;
  const { action, actor, address, at, details, target } = entry;
  const { about, client, count, fields } = details;
  const name = target.name ?? (action === "session_ended" ? null : about);
  const who = actor.name ?? log.kinds[actor.kind];
  return (
    <li className="change-row">
      <p className="change-what line">
        <b>{settings.actions[action]}</b>
        {count > 1 && <span className="soft">× {count}</span>}
        {target.kind === "link" && target.id !== null ? (
          <Link to="/links/$id" params={{ id: target.id }} className="change-link">
            {name ?? target.id}
          </Link>
        ) : (
          name && <span dir="auto">{name}</span>
        )}
      </p>
      {Object.keys(fields).length > 0 && (
        <ul className="change-values">
          {Object.entries(fields).map(([field, { from, to }]) => (
            <li key={field}>
              <span className="soft change-field">{fieldName(field, strings)}: </span>
              {from !== null && (
                <>
                  <del>{valueName(field, from, strings)}</del> <span aria-hidden="true">→</span>{" "}
                </>
              )}
              <ins>{valueName(field, to, strings)}</ins>
            </li>
          ))}
        </ul>
      )}
      <p className="note change-who line">
        <span>
          {actor.id === null ? (
            who
          ) : (
            <Link to="/activity" search={{ actor: actor.id }} className="change-link">
              {who}
            </Link>
          )}
          {[actor.kind === "key" && log.byKey, client, address].filter(Boolean).map((each) => ` · ${each}`)}
          {" · "}
          <Ago at={at} />
        </span>
      </p>
    </li>
  );
}
