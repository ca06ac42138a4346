import { parseDate } from "@internationalized/date";
import { useId, useState } from "react";
import { DateInput, DatePicker, DateSegment, Group, I18nProvider, Label } from "react-aria-components";
import { viewerLocale } from "../words/language.ts";
import { CalendarButton, CalendarPopover } from "./Calendar.tsx";
import "./combo-box.css";
import "./time-field.css";

interface DayFieldProps {
  label: string;
  /** YYYY-MM-DD; empty for none */
  value: string;
  /** Called with an empty text while a part of the day is missing */
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
  /** What is wrong with it */
  error?: string | undefined;
  autoFocus?: boolean;
}

/** A day, typed or picked from a calendar. */
export function DayField({ label, value, onChange, min, max, error, autoFocus = false }: DayFieldProps) {
  const id = useId();
  const [before, setBefore] = useState(value);
  const [shown, setShown] = useState(() => (value === "" ? null : parseDate(value)));
  if (value !== before) {
    setBefore(value);
    if (value !== (shown?.toString() ?? "")) setShown(value === "" ? null : parseDate(value));
  }
  return (
    <I18nProvider locale={viewerLocale()}>
      <DatePicker
        className="field time"
        granularity="day"
        shouldForceLeadingZeros
        value={shown}
        onChange={(day) => {
          setShown(day);
          // The first digits of a year are one, too.
          if (day === null || day.year >= 1000) onChange(day?.toString() ?? "");
        }}
        minValue={min ? parseDate(min) : null}
        maxValue={max ? parseDate(max) : null}
        isInvalid={error !== undefined}
        {...(error !== undefined && { "aria-describedby": id })}
        autoFocus={autoFocus}
      >
        <Label>{label}</Label>
        <Group className="time-box">
          <DateInput>{(segment) => <DateSegment segment={segment} />}</DateInput>
          <CalendarButton />
        </Group>
        {error !== undefined && (
          <p id={id} className="wrong">
            {error}
          </p>
        )}
        <CalendarPopover />
      </DatePicker>
    </I18nProvider>
  );
}
