import type { SelectHTMLAttributes } from "react";

interface SelectProps<Value extends string | number>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> {
  value: Value;
  values: readonly Value[];
  /** What the viewer reads; the value itself by default */
  textOf?: (value: Value) => string;
  onChange: (value: Value) => void;
}

/** A list from which one value is chosen. */
export function Select<Value extends string | number>({
  values,
  textOf = String,
  onChange,
  ...select
}: SelectProps<Value>) {
  return (
    <select
      {...select}
      onChange={({ target }) => {
        const chosen = values[target.selectedIndex];
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {values.map((each) => (
        <option key={each} value={each}>
          {textOf(each)}
        </option>
      ))}
    </select>
  );
}
