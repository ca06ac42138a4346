import { type ComponentProps, type ReactNode, useId } from "react";

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  values: readonly Value[];
  textOf: (value: Value) => string;
  onChange: (value: Value) => void;
  isDisabled?: boolean;
}

/** One of a few values, side by side. */
export function Segments<Value extends string>({
  label,
  value,
  values,
  textOf,
  onChange,
  isDisabled = false,
}: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {values.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={each === value}
            disabled={isDisabled}
            onChange={() => onChange(each)}
          />
          {textOf(each)}
        </label>
      ))}
    </div>
  );
}

interface CheckProps extends Omit<ComponentProps<"input">, "onChange"> {
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** A checkbox, or by its type a radio button, with its text. */
export const Check = ({ onChange, children, ...input }: CheckProps) => (
  <label className="check">
    <input type="checkbox" {...input} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
);

interface CheckListProps<Name extends string> {
  names: readonly Name[];
  meaningOf: (name: Name) => string;
  chosen: ReadonlySet<Name>;
  onChange: (chosen: ReadonlySet<Name>) => void;
}

/** Checkboxes of names that programs use, such as scopes and events, each with its meaning. */
export function CheckList<Name extends string>({ names, meaningOf, chosen, onChange }: CheckListProps<Name>) {
  const toggle = (name: Name) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return names.map((name) => (
    <Check key={name} checked={chosen.has(name)} onChange={() => toggle(name)}>
      <span>
        {meaningOf(name)} <code className="soft">{name}</code>
      </span>
    </Check>
  ));
}
