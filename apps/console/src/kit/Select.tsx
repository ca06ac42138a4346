import { type SelectHTMLAttributes, useState } from "react";

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
