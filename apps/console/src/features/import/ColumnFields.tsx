import { useStrings } from "../../words/strings.tsx";
import {
  type FieldName,
  fieldNames,
  kindOf,
  type LinkFile,
  recognize,
  type RefusedFile,
} from "@terse/importers";
import { SelectField } from "../../kit/Choices.tsx";

/** The number of the column of each field; null for none. */
export type Mapping = Record<FieldName, number | null>;

export interface Shape {
  /** The names of the columns; null if the file has no header */
  names: readonly string[] | null;
  width: number;
  mapping: Mapping;
}

const isField = (kind: string | null): kind is FieldName => fieldNames.some((field) => field === kind);

/** The columns of a file, and what they are; null if nobody can choose them. `columns` are those that were chosen by hand. */
export function shapeOf(file: LinkFile | RefusedFile, columns: readonly string[] | null): Shape | null {
  const { names = null, width = 0 } = file;
  if (width === 0) return null;
  const known = "refusal" in file ? recognize(columns ?? names ?? []).columns : file.columns;
  const first = (field: FieldName) => known[field]?.[0] ?? null;
  const mapping = Object.fromEntries(fieldNames.map((field) => [field, first(field)])) as Mapping;
  const sample = "refusal" in file ? (file.sample?.[0] ?? []) : [];
  const guess = sample.findIndex((cell) => /^https?:\/\//i.test(cell));
  return { names, width, mapping: { ...mapping, url: mapping.url ?? (guess === -1 ? null : guess) } };
}

/** The columns by their names, after a choice by hand. What nobody chooses stays what its name says. */
export const columnsOf = ({ names, width }: Shape, mapping: Mapping): string[] =>
  Array.from({ length: width }, (_, at) => {
    const chosen = fieldNames.find((field) => mapping[field] === at);
    if (chosen) return chosen;
    const name = names?.[at] ?? "";
    const kind = kindOf(name);
    return kind === null || isField(kind) ? "-" : name;
  });

/** Stands for no column */
const none = -1;

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
    <SelectField
      key={field}
      label={importing.fields[field]}
      value={mapping[field] ?? none}
      values={[none, ...Array.from({ length: width }, (_, at) => at)]}
      textOf={(at) => (at === none ? importing.none[field] : names?.[at]?.trim() || importing.column(at + 1))}
      onChange={(chosen) => {
        const at = chosen === none ? null : chosen;
        const others = fieldNames.filter((other) => other !== field && mapping[other] === at && at !== null);
        onChange({ ...mapping, ...Object.fromEntries(others.map((other) => [other, null])), [field]: at });
      }}
    />
  ));
}
