import { type ComponentProps, type ReactNode, useId, type SelectHTMLAttributes, useState } from "react";

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

interface SelectProps<Value extends string | number>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> {
  value: Value;
  values: readonly Value[];
  /** What the viewer reads; the value itself by default */
  textOf?: (value: Value) => string;
  onChange: (value: Value) => void;
  /** True for hundreds of values: until somebody comes to choose, there is only the chosen one */
  isLong?: boolean;
}

/** A list from which one value is chosen. */
export function Select<Value extends string | number>({
  values,
  textOf = String,
  onChange,
  isLong = false,
  ...select
}: SelectProps<Value>) {
  const [isUsed, setUsed] = useState(false);
  const shown = isLong && !isUsed ? [select.value] : values;
  return (
    <select
      className="input"
      {...select}
      // Before the list opens
      onFocus={() => setUsed(true)}
      onPointerDown={() => setUsed(true)}
      onChange={({ target }) => {
        const chosen = shown[target.selectedIndex];
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {shown.map((each) => (
        <option key={each} value={each}>
          {textOf(each)}
        </option>
      ))}
    </select>
  );
}

interface SelectFieldProps<Value extends string | number> extends SelectProps<Value> {
  label: string;
  /** What is wrong with the value */
  error?: string | undefined;
  hint?: string;
}

/** The same under its label, with its error and hint below it. */
export function SelectField<Value extends string | number>({
  label,
  error,
  hint,
  ...select
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select id={id} aria-describedby={error || hint ? `${id}-note` : undefined} {...select} />
      {(error || hint) && (
        <p id={`${id}-note`} className={error ? "wrong" : "note"}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
