import { formatCount } from "../../kit/format/format.ts";

/** Something that can be chosen. */
export interface Choice {
  value: string;
  label: string;
  /** Below the label */
  note?: string;
  clicks?: number | undefined;
}

interface PickListProps {
  /** What the field finds */
  label: string;
  text: string;
  onText: (text: string) => void;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Said if there is no choice */
  none: string | undefined;
  /** No other can be chosen */
  isFull?: boolean;
  toggle: (value: string) => void;
}

/** Chooses several of many: a few letters find some, and Enter takes the first. */
export function PickList({
  label,
  text,
  onText,
  choices,
  chosen,
  none,
  isFull = false,
  toggle,
}: PickListProps) {
  return (
    <>
      <input
        className="input"
        type="search"
        autoFocus
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && choices[0]) toggle(choices[0].value);
        }}
      />
      <ul>
        {choices.map(({ value, label: name, note, clicks }) => (
          <li key={value}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                disabled={isFull && !chosen.includes(value)}
                onChange={() => toggle(value)}
              />
              <span className={note === undefined ? undefined : "two-lines ellipsis"} dir="auto">
                {name}
                {note !== undefined && <span className="note ellipsis">{note}</span>}
              </span>
              {clicks !== undefined && <span className="number soft">{formatCount(clicks)}</span>}
            </label>
          </li>
        ))}
        {choices.length === 0 && <li className="note">{none}</li>}
      </ul>
    </>
  );
}

/** The values with another one, or without it. */
export const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
