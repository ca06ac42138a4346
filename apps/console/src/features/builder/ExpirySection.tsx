import { endOfMonth, now } from "@internationalized/date";
import { useId } from "react";
import { viewerZone } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { TimeField } from "../../kit/TimeField.tsx";
import { Button } from "../../kit/Button.tsx";

interface ExpirySectionProps {
  /** ISO 8601 in UTC; empty while a part of it is missing */
  value: string | null;
  onChange: (value: string | null) => void;
  error: string | undefined;
  isDisabled: boolean;
  autoFocus: boolean;
}

/** When a link ends, from a calendar or by a quick choice. */
export function ExpirySection({ value, onChange, error, isDisabled, autoFocus }: ExpirySectionProps) {
  const { builder } = useStrings();
  const id = useId();
  const hasPassed = value && new Date(value) <= new Date();
  const soon = () => now(viewerZone).set({ second: 0, millisecond: 0 });
  const choices = [
    { label: builder.tomorrow, time: () => soon().add({ days: 1 }) },
    { label: builder.inAWeek, time: () => soon().add({ weeks: 1 }) },
    { label: builder.endOfMonth, time: () => endOfMonth(soon()).set({ hour: 23, minute: 59 }) },
  ];
  return (
    <>
      <TimeField
        label={builder.expires}
        value={value}
        onChange={onChange}
        minute="last"
        describedBy={id}
        isInvalid={error !== undefined}
        isDisabled={isDisabled}
        autoFocus={autoFocus}
      />
      <p id={id} className={error ? "wrong" : "note"}>
        {error ?? (hasPassed ? builder.hasPassed : builder.zone(viewerZone))}
      </p>
      <div className="small line" role="group" aria-label={builder.quickChoices}>
        {choices.map(({ label, time }) => (
          <Button key={label} disabled={isDisabled} onClick={() => onChange(time().toAbsoluteString())}>
            {label}
          </Button>
        ))}
      </div>
    </>
  );
}
