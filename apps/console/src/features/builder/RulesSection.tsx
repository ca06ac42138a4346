import { useId, useRef } from "react";
import { countryName } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { CountryField } from "../../kit/CountryField.tsx";
import { Moves } from "../../kit/Moves.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { useRows } from "../../kit/use-rows.ts";
import { newRule, type RuleDraft } from "./draft.ts";
import { type Errors, errorsBeside } from "../../kit/issues.ts";
import { UrlField } from "../../kit/UrlField.tsx";
import { TextButton } from "../../kit/Button.tsx";
import "./rules/rules.css";

interface RulesSectionProps {
  rules: readonly RuleDraft[];
  onChange: (rules: readonly RuleDraft[]) => void;
  errors: Errors;
  isDisabled: boolean;
  autoFocus: boolean;
}

/** Country rules, in their order: a country and where its visitors are sent. */
export function RulesSection({ rules, onChange, errors, isDisabled, autoFocus }: RulesSectionProps) {
  const { builder } = useStrings();
  const section = useRef<HTMLDivElement>(null);
  const { change, move, add, remove, focusNext } = useRows(section, rules, onChange);
  const shown = rules.flatMap((_, at) => [`geo_rules.${at}.country`, `geo_rules.${at}.url`]);
  return (
    <div ref={section} className="rule-list">
      <ol className="rules">
        {rules.map((rule, at) => (
          <li key={rule.key} data-row={rule.key}>
            <Rule
              rule={rule}
              place={at}
              count={rules.length}
              errors={errors}
              isDisabled={isDisabled}
              change={(part) => change(rule.key, part)}
              move={(by) => move(at, by)}
              autoFocus={autoFocus && at === 0}
              remove={() => {
                focusNext(".add");
                remove(at);
              }}
            />
          </li>
        ))}
      </ol>
      <Wrong>{errorsBeside(errors, shown, "geo_rules")}</Wrong>
      <TextButton className="add" disabled={isDisabled} onClick={() => add(newRule())}>
        {builder.addRule}
      </TextButton>
    </div>
  );
}

interface RuleProps {
  rule: RuleDraft;
  place: number;
  count: number;
  errors: Errors;
  isDisabled: boolean;
  autoFocus: boolean;
  change: (part: Partial<RuleDraft>) => void;
  move: (by: -1 | 1) => void;
  remove: () => void;
}

function Rule({ rule, place, count, errors, isDisabled, autoFocus, change, move, remove }: RuleProps) {
  const { builder } = useStrings();
  const id = useId();
  const name = rule.country === null ? builder.ruleNumber(place + 1) : countryName(rule.country);
  const wrongCountry = errors[`geo_rules.${place}.country`];
  return (
    <>
      <CountryField
        label={builder.country}
        value={rule.country}
        onChange={(country) => change({ country })}
        errorId={wrongCountry && id}
        isDisabled={isDisabled}
        autoFocus={autoFocus && rule.country === null}
      />
      {wrongCountry && (
        <p id={id} className="wrong">
          {rule.country === null ? builder.chooseCountry : wrongCountry}
        </p>
      )}
      <UrlField
        label={builder.ruleUrl(name)}
        value={rule.url}
        onChange={(url) => change({ url })}
        error={errors[`geo_rules.${place}.url`]}
        disabled={isDisabled}
      />
      <p className="moves">
        <Moves
          labels={{ up: builder.up(name), down: builder.down(name), remove: builder.remove(name) }}
          isFirst={place === 0}
          isLast={place === count - 1}
          isDisabled={isDisabled}
          move={move}
          remove={remove}
        />
      </p>
    </>
  );
}
