import { type DragEvent, type KeyboardEvent, useRef } from "react";
import { viewerZone } from "../../../kit/format/format.ts";
import { useStrings } from "../../../words/strings.tsx";
import { Moves } from "../../../kit/Moves.tsx";
import { useFocusNext } from "../../../kit/focus.ts";
import { errorIn, type Errors, errorsBeside } from "../../../kit/issues.ts";
import { UrlField } from "../../../kit/UrlField.tsx";
import { ConditionField } from "./ConditionField.tsx";
import {
  type ConditionalDraft,
  type ConditionName,
  conditionNames,
  type Conditions,
  newCondition,
} from "./rules-draft.ts";

interface RuleCardProps {
  rule: ConditionalDraft;
  place: number;
  count: number;
  errors: Errors;
  isDisabled: boolean;
  change: (part: Partial<ConditionalDraft>) => void;
  move: (by: -1 | 1) => void;
  remove: () => void;
  drag: { start: (event: DragEvent) => void; end: () => void };
}

/** A rule: its conditions, and where it leads. It moves by its grip or by its buttons. */
export function RuleCard({
  rule,
  place,
  count,
  errors,
  isDisabled,
  change,
  move,
  remove,
  drag,
}: RuleCardProps) {
  const { rules, builder } = useStrings();
  const card = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(card);
  const { when } = rule;
  const title = rule.name.trim() || rules.number(place + 1);
  const errorAt = (path: string) => errorIn(errors, `rules.${place}.${path}`);
  const setCondition = (name: ConditionName, value: Conditions[ConditionName]) =>
    change({ when: { ...when, [name]: value } });
  const addCondition = (name: ConditionName) => {
    focusNext(`[data-condition=${name}] :is(input, button, [role=spinbutton])`);
    change({ when: { ...when, ...newCondition(name, viewerZone) } });
  };
  const removeCondition = (name: ConditionName) => {
    const { [name]: _, ...rest } = when;
    focusNext("select.add-condition");
    change({ when: rest });
  };
  const names = Object.keys(when) as ConditionName[];
  const more = conditionNames.filter((name) => !(name in when));
  const path = `rules.${place}.when`;
  const shown = names.map((name) => `${path}.${name}`);
  const wrongWhen = errorsBeside(errors, shown, path);
  return (
    <div ref={card} className="rule-card">
      <header>
        <span
          className="grip"
          draggable={!isDisabled}
          onDragStart={drag.start}
          onDragEnd={drag.end}
          title={rules.drag}
          aria-hidden="true"
        >
          ⠿
        </span>
        <input
          className="rule-name"
          aria-label={rules.nameOf(place + 1)}
          placeholder={rules.number(place + 1)}
          value={rule.name}
          maxLength={100}
          onChange={({ target }) => change({ name: target.value })}
          disabled={isDisabled}
          aria-invalid={errorAt("name") ? true : undefined}
        />
        <p className="moves">
          <Moves
            labels={{ up: builder.up(title), down: builder.down(title), remove: builder.remove(title) }}
            isFirst={place === 0}
            isLast={place === count - 1}
            isDisabled={isDisabled}
            move={move}
            remove={remove}
          />
        </p>
      </header>
      {errorAt("name") && <p className="wrong">{errorAt("name")}</p>}
      {names.map((name) => (
        <ConditionField
          key={name}
          name={name}
          value={when[name]}
          onChange={(value) => setCondition(name, value)}
          remove={() => removeCondition(name)}
          error={errorAt(`when.${name}`)}
          isDisabled={isDisabled}
        />
      ))}
      {more.length > 0 && (
        <select
          className="input add-condition"
          aria-label={rules.addConditionTo(title)}
          value=""
          onKeyDown={openFirst}
          onChange={({ target }) => addCondition(target.value as ConditionName)}
          disabled={isDisabled}
          aria-invalid={wrongWhen ? true : undefined}
        >
          <option value="">{names.length === 0 ? rules.firstCondition : rules.addCondition}</option>
          {more.map((name) => (
            <option key={name} value={name}>
              {rules.conditions[name]}
            </option>
          ))}
        </select>
      )}
      {wrongWhen && <p className="wrong">{names.length === 0 ? rules.needsCondition : wrongWhen}</p>}
      <UrlField
        label={rules.urlOf(title)}
        value={rule.url}
        onChange={(url) => change({ url })}
        error={errors[`rules.${place}.url`]}
        disabled={isDisabled}
      />
    </div>
  );
}

/**
 * Letters and arrows open a list whose choice acts at once. Closed, it would choose what the first letter of a name finds, and
 * act before the name is typed.
 */
function openFirst(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: list } = event;
  const isChoosing = key.length === 1 || key.startsWith("Arrow");
  if (!isChoosing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!CSS.supports("selector(:open)") || list.matches(":open")) return;
  event.preventDefault();
  list.showPicker();
}
