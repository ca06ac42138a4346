import { parseAbsolute, toCalendar, type ZonedDateTime } from "@internationalized/date";
import { useContext, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import {
  DateFieldStateContext,
  DateInput,
  DatePicker,
  DateSegment,
  Group,
  I18nProvider,
  Label,
} from "react-aria-components";
import { viewerZone } from "./format/format.ts";
import { viewerLocale } from "../words/language.ts";
import { useStrings } from "../words/strings.tsx";
import { CalendarButton, CalendarPopover } from "./Calendar.tsx";
import "./combo-box.css";
import "./time-field.css";

interface TimeFieldProps {
  label: string;
  /** ISO 8601 in UTC; empty while a part of it is missing */
  value: string | null;
  onChange: (value: string | null) => void;
  /** Which minute of a day that is typed without a time: its first one, or its last one */
  minute?: "first" | "last";
  /** The ids of texts that describe the field */
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

/** A date and time in the viewer's zone, typed or picked from a calendar. A day alone stands for one of its minutes. */
export function TimeField({
  label,
  value,
  onChange,
  minute = "first",
  describedBy,
  isInvalid = false,
  ...props
}: TimeFieldProps) {
  const { timeField } = useStrings();
  const id = useId();
  const [before, setBefore] = useState(value);
  /** The last value that was whole: what is typed stays in the field as long as this does */
  const [whole, setWhole] = useState(() => (value ? inZone(value) : null));
  if (value !== before) {
    setBefore(value);
    if (value !== "") setWhole(value === null ? null : inZone(value));
  }
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isFocused, setFocused] = useState(false);
  const isLeft = missing.length > 0 && !isFocused;
  return (
    <I18nProvider locale={viewerLocale()}>
      <DatePicker
        className="field time"
        granularity="minute"
        value={whole}
        onChange={(time) => onChange(time === null ? null : time.toAbsoluteString())}
        onFocusChange={setFocused}
        // Without a value, the field would not know the viewer's zone.
        placeholderValue={inZone(new Date().toISOString()).set({ second: 0, millisecond: 0 })}
        hideTimeZone
        shouldForceLeadingZeros
        aria-describedby={[describedBy, isLeft && id].filter(Boolean).join(" ")}
        isInvalid={isInvalid || isLeft}
        {...props}
      >
        <Label>{label}</Label>
        <Group className="time-box">
          <DateInput>
            {(segment) => (
              <>
                <DateSegment segment={segment} />
                {segment.type === "year" && (
                  <TypedParts {...{ value, whole, onChange, minute, isFocused, setMissing }} />
                )}
              </>
            )}
          </DateInput>
          <CalendarButton />
        </Group>
        {isLeft && !isInvalid && (
          <p id={id} className="wrong" role="status">
            {timeField.missing(missing)}
          </p>
        )}
        <CalendarPopover />
      </DatePicker>
    </I18nProvider>
  );
}

const inZone = (iso: string): ZonedDateTime => parseAbsolute(iso, viewerZone);

interface TypedPartsProps extends Required<Pick<TimeFieldProps, "value" | "onChange" | "minute">> {
  whole: ZonedDateTime | null;
  isFocused: boolean;
  setMissing: (missing: readonly string[]) => void;
}

/**
 * Tells the field what is typed in it: the date picker itself calls a date of which a part is missing nothing, or what it was
 * before.
 */
function TypedParts({ value, whole, onChange, minute, isFocused, setMissing }: TypedPartsProps) {
  const state = useContext(DateFieldStateContext);
  const parts = state?.segments.filter(({ isEditable }) => isEditable) ?? [];
  const missing = parts.filter(({ isPlaceholder }) => isPlaceholder).map(({ type }) => type);
  const typed = inZone((state?.dateValue ?? new Date()).toISOString());
  const isEmpty = missing.length === parts.length;
  const isWhole = missing.length === 0 && whole !== null && typed.compare(whole) === 0;
  // 30 February becomes the last day of the month when the person leaves it; before, the year may still be typed.
  const isDay = parts.some(({ type, value: day }) => type === "day" && day === calendarDay(typed, state));
  const hasDay = !missing.some(isDatePart);
  const isDayAlone = hasDay && missing.length === parts.length - 3 && whole === null && (isDay || !isFocused);
  const status = isEmpty ? "empty" : isWhole ? "whole" : isDayAlone ? "day" : "part";
  const wasPart = useRef(false);
  const tell = useEffectEvent(() => {
    if (status === "day")
      onChange(
        typed
          .set(minute === "first" ? { hour: 0, minute: 0 } : { hour: 23, minute: 59 })
          .set({ second: 0, millisecond: 0 })
          .toAbsoluteString(),
      );
    else if (status === "part" && value !== "") onChange("");
    else if (status === "whole" && value === "") onChange(whole?.toAbsoluteString() ?? null);
    else if (status === "empty" && value === "" && wasPart.current) onChange(null);
    wasPart.current = status === "part";
    // A day alone is enough.
    const isTimeTyped = parts.some(({ type, isPlaceholder }) => !isDatePart(type) && !isPlaceholder);
    setMissing(status === "part" ? missing.filter((type) => isTimeTyped || hasDay || isDatePart(type)) : []);
  });
  const names = missing.join(" ");
  // oxlint-disable-next-line react/exhaustive-deps -- it tells again when what is missing changes
  useEffect(() => tell(), [status, names]);
  return null;
}

const isDatePart = (type: string) => ["year", "month", "day"].includes(type);

const calendarDay = (time: ZonedDateTime, state: { calendar: ZonedDateTime["calendar"] } | null) =>
  state && toCalendar(time, state.calendar).day;
