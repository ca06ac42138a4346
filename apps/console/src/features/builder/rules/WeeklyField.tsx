import { useId } from "react";
import { useStrings } from "../../../words/strings.tsx";
import { type Weekly, weekdays } from "./rules-draft.ts";
import { Toggles } from "./TogglesField.tsx";
import { Field } from "../../../kit/Field.tsx";

const zones = Intl.supportedValuesOf("timeZone");

interface WeeklyFieldProps {
  label: string;
  value: Weekly;
  onChange: (value: Weekly) => void;
  errorId: string | undefined;
  isDisabled: boolean;
}

/** Days, hours, and the zone whose clocks show them. */
export function WeeklyField({ label, value, onChange, errorId, isDisabled }: WeeklyFieldProps) {
  const { rules } = useStrings();
  const id = useId();
  const change = (part: Partial<Weekly>) => onChange({ ...value, ...part });
  const isNextDay = value.to <= value.from;
  return (
    <div className="weekly">
      <div className="field">
        <span className="label">{label}</span>
        <Toggles
          options={weekdays.map((day) => ({ id: day, text: rules.days[day] }))}
          values={value.days}
          onChange={(days) => change({ days: days as Weekly["days"] })}
          isDisabled={isDisabled}
        />
      </div>
      {(["from", "to"] as const).map((end) => (
        <Field
          key={end}
          label={rules[end]}
          type="time"
          required
          value={value[end]}
          onChange={(time) => time !== "" && change({ [end]: time.slice(0, 5) })}
          aria-describedby={end === "to" && isNextDay ? `${id}-next` : undefined}
          disabled={isDisabled}
        />
      ))}
      <div className="zone">
        <Field
          label={rules.zone}
          list={`${id}-zones`}
          value={value.tz}
          onChange={(tz) => change({ tz })}
          isCode
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
          disabled={isDisabled}
        />
        <datalist id={`${id}-zones`}>
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      {isNextDay && (
        <p id={`${id}-next`} className="note">
          {rules.nextDay}
        </p>
      )}
    </div>
  );
}
