import { type DragEvent, useRef, useState } from "react";
import { useStrings } from "../../../words/strings.tsx";
import { Wrong } from "../../../kit/Field.tsx";
import { useRows } from "../../../kit/use-rows.ts";
import type { GroupProps } from "../Advanced.tsx";
import { RuleCard } from "./RuleCard.tsx";
import { maxRules, newConditional } from "./rules-draft.ts";
import { Button } from "../../../kit/Button.tsx";
import "./rules.css";

/** The rules of a link, in the order in which they are tried. */
export function RulesGroup({ draft, change, hasOptions, errors }: GroupProps) {
  const { rules: words } = useStrings();
  const list = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const { rules } = draft;
  const {
    change: set,
    move,
    moveTo,
    add,
    remove,
    focusNext,
  } = useRows(list, rules, (next) => change({ rules: next }));
  const start = (event: DragEvent, key: number) => {
    event.dataTransfer.effectAllowed = "move";
    const card = event.currentTarget.closest("li");
    if (card) event.dataTransfer.setDragImage(card, 12, 12);
    setDragged(key);
  };
  /** Rules make room while one is dragged over them. */
  const dragOver = (event: DragEvent, at: number) => {
    if (dragged === null) return;
    event.preventDefault();
    moveTo(
      rules.findIndex(({ key }) => key === dragged),
      at,
    );
  };
  return (
    <div ref={list} className="conditional-rules">
      <p className="note">{words.hint}</p>
      <ol>
        {rules.map((rule, at) => (
          <li
            key={rule.key}
            data-row={rule.key}
            data-dragged={rule.key === dragged || undefined}
            onDragEnter={(event) => dragOver(event, at)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => event.preventDefault()}
          >
            <RuleCard
              rule={rule}
              place={at}
              count={rules.length}
              errors={errors}
              isDisabled={!hasOptions}
              change={(part) => set(rule.key, part)}
              move={(by) => move(at, by)}
              remove={() => {
                focusNext(".add-rule");
                remove(at);
              }}
              drag={{ start: (event) => start(event, rule.key), end: () => setDragged(null) }}
            />
          </li>
        ))}
      </ol>
      <Wrong>{errors["rules"]}</Wrong>
      {rules.length < maxRules && (
        <Button className="add-rule" disabled={!hasOptions} onClick={() => add(newConditional(), "select")}>
          {words.add}
        </Button>
      )}
      {!hasOptions && <p className="note">{words.needsPro}</p>}
    </div>
  );
}
