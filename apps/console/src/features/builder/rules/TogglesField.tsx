import { useStrings } from "../../../words/strings.tsx";
import type { ConditionName } from "./rules-draft.ts";
import { choiceName } from "./words.ts";
import { Button } from "../../../kit/Button.tsx";

interface TogglesFieldProps {
  name: ConditionName;
  label: string;
  options: readonly string[];
  values: readonly string[];
  onChange: (values: never) => void;
  isDisabled: boolean;
}

/** A few values, each of which is a button that is pressed or not. */
export function TogglesField({ name, label, options, values, onChange, isDisabled }: TogglesFieldProps) {
  const strings = useStrings();
  return (
    <div className="field">
      <span className="label">{label}</span>
      <Toggles
        options={options.map((id) => ({ id, text: choiceName(name, id, strings) }))}
        values={values}
        onChange={(next) => onChange(next as never)}
        isDisabled={isDisabled}
      />
    </div>
  );
}

interface TogglesProps {
  options: readonly { id: string; text: string }[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  isDisabled: boolean;
}

export function Toggles({ options, values, onChange, isDisabled }: TogglesProps) {
  const toggle = (id: string) =>
    onChange(options.map((option) => option.id).filter((each) => (each === id) !== values.includes(each)));
  return (
    <p className="toggles small line">
      {options.map(({ id, text }) => (
        <Button key={id} aria-pressed={values.includes(id)} disabled={isDisabled} onClick={() => toggle(id)}>
          {text}
        </Button>
      ))}
    </p>
  );
}
