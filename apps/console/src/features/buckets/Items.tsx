import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { Moves } from "../../kit/Moves.tsx";
import { useRows } from "../../kit/use-rows.ts";
import { isContact, maxLinks } from "./bucket.ts";
import { Button } from "../../kit/Button.tsx";

export interface Item {
  /** Tells rows apart while they move */
  key: number;
  title: string;
  url: string;
  /** Clicks so far; undefined for a link that is not saved */
  clicks?: number | undefined;
}

let lastKey = 0;
export const newItem = (item: Omit<Item, "key"> = { title: "", url: "" }): Item => ({
  key: ++lastKey,
  ...item,
});

interface ItemsProps {
  items: readonly Item[];
  onChange: (items: Item[]) => void;
  /** The sentence about a field such as `links.0.url` */
  errorOf: (field: string) => string | undefined;
}

/** The links of a page. They are put in order by dragging a handle, by its arrow keys, or by buttons. */
export function Items({ items, onChange, errorOf }: ItemsProps) {
  const { buckets } = useStrings();
  const list = useRef<HTMLOListElement>(null);
  const { change, add, ...rows } = useRows(list, items, onChange);
  const [moved, setMoved] = useState("");
  const [dragged, setDragged] = useState<number | null>(null);
  const say = (at: number, to: number) => {
    const item = items[at];
    if (item && items[to] && to !== at) setMoved(buckets.moved(item.title || item.url, to + 1, items.length));
  };
  const move = (key: number, to: number) => {
    const at = items.findIndex((item) => item.key === key);
    say(at, to);
    rows.moveTo(at, to);
  };
  const remove = (at: number) => {
    rows.focusNext(`li:nth-child(${Math.min(at + 1, items.length - 1)}) input`);
    rows.remove(at);
  };
  /** Moves the dragged row to where the pointer is. */
  const drag = (event: PointerEvent, key: number) => {
    if (dragged !== key) return;
    const boxes = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const at = items.findIndex((item) => item.key === key);
    const above = boxes.findIndex(({ top, height }, row) => row < at && event.clientY < top + height / 2);
    const below = boxes.findLastIndex(({ top, height }, row) => row > at && event.clientY > top + height / 2);
    if (above !== -1) move(key, above);
    else if (below !== -1) move(key, below);
  };
  const onKey = (event: KeyboardEvent, key: number, at: number) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(key, to);
    // React moves rows in the page, which can take the focus away.
    const handle = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => handle.focus());
  };
  return (
    <section className="page-items" aria-labelledby="page-items">
      <h3 id="page-items">{buckets.items}</h3>
      <ol ref={list}>
        {items.map((item, at) => (
          <li key={item.key} data-row={item.key} className={dragged === item.key ? "dragged" : undefined}>
            <button
              type="button"
              className="handle"
              aria-label={buckets.move(at + 1)}
              title={buckets.moveHint}
              onKeyDown={(event) => onKey(event, item.key, at)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(item.key);
              }}
              onPointerMove={(event) => drag(event, item.key)}
              onPointerUp={() => setDragged(null)}
              onPointerCancel={() => setDragged(null)}
            >
              <svg viewBox="0 0 10 16" width="10" height="16" aria-hidden="true">
                <path
                  d="M2 3h0M8 3h0M2 8h0M8 8h0M2 13h0M8 13h0"
                  stroke="currentColor"
                  strokeWidth="3"
                  strokeLinecap="round"
                />
              </svg>
            </button>
            <div className="fields">
              <Field
                label={buckets.itemTitle(at + 1)}
                value={item.title}
                maxLength={100}
                error={errorOf(`links.${at}.title`)}
                onChange={(text) => change(item.key, { title: text })}
              />
              <Field
                label={buckets.itemUrl}
                value={item.url}
                inputMode="url"
                isCode
                placeholder={buckets.itemUrlHint}
                error={errorOf(`links.${at}.url`)}
                onChange={(text) => change(item.key, { url: text })}
              />
            </div>
            <p className="moves">
              {item.clicks !== undefined && (
                <span className="note">
                  {isContact(item.url)
                    ? buckets.notCounted
                    : buckets.clicks(item.clicks, formatCount(item.clicks))}
                </span>
              )}
              <Moves
                labels={{
                  up: buckets.up(at + 1),
                  down: buckets.down(at + 1),
                  remove: buckets.remove(at + 1),
                }}
                isFirst={at === 0}
                isLast={at === items.length - 1}
                isKept={items.length === 1}
                move={(by) => {
                  say(at, at + by);
                  rows.move(at, by);
                }}
                remove={() => remove(at)}
              />
            </p>
          </li>
        ))}
      </ol>
      <p className="unseen" role="status">
        {moved}
      </p>
      {items.length < maxLinks && <Button onClick={() => add(newItem())}>{buckets.add}</Button>}
    </section>
  );
}
