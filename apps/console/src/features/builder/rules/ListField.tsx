import { CountryField } from "../../../kit/fields.ts";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { commonLanguages, languageName } from "../../../kit/format/format.ts";
import { useStrings } from "../../../words/strings.tsx";
import { useFocusNext } from "../../../kit/focus.ts";
import type { ConditionName } from "./rules-draft.ts";
import { choiceName } from "./words.ts";
import { Button } from "../../../kit/Button.tsx";
import { Field } from "../../../kit/Field.tsx";

interface ListFieldProps {
  name: ConditionName;
  label: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Names that are suggested */
  options?: readonly string[];
  /** The id of the text that says what is wrong */
  errorId?: string | undefined;
  isDisabled: boolean;
}

/** Values that were chosen, each with a button that removes it, and a field for one more. */
export function ListField({
  name,
  label,
  values,
  onChange,
  options = [],
  errorId,
  isDisabled,
}: ListFieldProps) {
  const strings = useStrings();
  const field = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(field);
  const add = (value: string) => {
    focusNext("input");
    onChange([...new Set([...values, value])]);
  };
  return (
    <div ref={field} className="list-field">
      {values.length > 0 && (
        <Chosen
          names={values.map((value) => choiceName(name, value, strings))}
          remove={(at) => {
            focusNext("input");
            onChange(values.toSpliced(at, 1));
          }}
        />
      )}
      {name === "country" ? (
        <CountryField
          key={values.length} // another one empties it
          label={label}
          value={null}
          onChange={(country) => country !== null && add(country)}
          errorId={errorId}
          isDisabled={isDisabled}
        />
      ) : (
        <OneMore
          name={name}
          label={label}
          add={add}
          options={options}
          errorId={errorId}
          isDisabled={isDisabled}
        />
      )}
    </div>
  );
}

function Chosen({ names, remove }: { names: readonly string[]; remove: (at: number) => void }): ReactNode {
  const { builder } = useStrings();
  return (
    <p className="picked small line">
      {names.map((each, at) => (
        <Button key={each} aria-label={builder.remove(each)} onClick={() => remove(at)}>
          {each} ✕
        </Button>
      ))}
    </p>
  );
}

interface OneMoreProps extends Pick<ListFieldProps, "name" | "label" | "options" | "errorId" | "isDisabled"> {
  add: (value: string) => void;
}

/** A text that Enter, a comma or leaving the field adds; one of the suggestions is added at once. */
function OneMore({ name, label, add, options = [], errorId, isDisabled }: OneMoreProps) {
  const id = useId();
  const { rules } = useStrings();
  const [text, setText] = useState("");
  const known = name === "language" ? commonLanguages : options;
  const take = (typed: string) => {
    const value = typed.trim();
    if (value === "") return;
    add(known.find((option) => option.toLowerCase() === value.toLowerCase()) ?? value);
    setText("");
  };
  const type = (typed: string) => {
    if (/[,\s]$/.test(typed) && !known.some((option) => option.startsWith(typed))) take(typed.slice(0, -1));
    else if (known.length > 0 && !text.startsWith(typed) && known.includes(typed) && typed.length > 2)
      take(typed);
    else setText(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    take(text);
  };
  return (
    <div>
      <Field
        label={label}
        value={text}
        onChange={type}
        onKeyDown={onKeyDown}
        onBlur={() => take(text)}
        list={known.length > 0 ? `${id}-options` : undefined}
        placeholder={rules.example(name)}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={errorId ? true : undefined}
        aria-describedby={errorId}
        disabled={isDisabled}
      />
      {known.length > 0 && (
        <datalist id={`${id}-options`}>
          {known.map((option) => (
            <option key={option} value={option}>
              {name === "language" ? languageName(option) : option}
            </option>
          ))}
        </datalist>
      )}
    </div>
  );
}
