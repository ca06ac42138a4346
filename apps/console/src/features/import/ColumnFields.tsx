import { fieldNames } from "@terse/importers";
import { useStrings } from "../../words/strings.tsx";
import type { Mapping, Shape } from "./columns.ts";

/** Which column is what. */
export function ColumnFields({
  shape: { names, width, mapping },
  onChange,
}: {
  shape: Shape;
  onChange: (mapping: Mapping) => void;
}) {
  const { importing } = useStrings();
  return fieldNames.map((field) => (
    <label key={field} className="field">
      {importing.fields[field]}
      <select
        className="input"
        value={mapping[field] ?? ""}
        onChange={({ target }) => {
          const at = target.value === "" ? null : Number(target.value);
          const others = fieldNames.filter(
            (other) => other !== field && mapping[other] === at && at !== null,
          );
          onChange({ ...mapping, ...Object.fromEntries(others.map((other) => [other, null])), [field]: at });
        }}
      >
        <option value="">{importing.none[field]}</option>
        {Array.from({ length: width }, (_, at) => (
          <option key={at} value={at}>
            {names?.[at]?.trim() || importing.column(at + 1)}
          </option>
        ))}
      </select>
    </label>
  ));
}
