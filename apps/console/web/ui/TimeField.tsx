import { parseAbsolute, type ZonedDateTime } from "@internationalized/date";
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
} from "react-aria-components";
import { viewerZone } from "../format.ts";

interface TimeFieldProps {
  label: string;
  /** ISO 8601 in UTC */
  value: string | null;
  onChange: (value: string | null) => void;
  /** The ids of texts that describe the field */
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

/** A date and time in the viewer's zone, typed or picked from a calendar. */
export function TimeField({ label, value, onChange, describedBy, ...state }: TimeFieldProps) {
  return (
    <DatePicker
      className="field time"
      granularity="minute"
      value={value === null ? null : inZone(value)}
      onChange={(time) => onChange(time === null ? null : time.toAbsoluteString())}
      // Without a value, the field would not know the viewer's zone.
      placeholderValue={inZone(new Date().toISOString()).set({ second: 0, millisecond: 0 })}
      hideTimeZone
      shouldForceLeadingZeros
      {...(describedBy && { "aria-describedby": describedBy })}
      {...state}
    >
      <Label>{label}</Label>
      <Group className="time-box">
        <DateInput>{(segment) => <DateSegment segment={segment} />}</DateInput>
        <Button className="plain">▾</Button>
      </Group>
      <Popover className="calendar">
        <Dialog>
          <Calendar>
            <header>
              <Button slot="previous" className="plain">
                ‹
              </Button>
              <Heading />
              <Button slot="next" className="plain">
                ›
              </Button>
            </header>
            <CalendarGrid>
              <CalendarGridHeader>
                {(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}
              </CalendarGridHeader>
              <CalendarGridBody>{(date) => <CalendarCell date={date} />}</CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

const inZone = (iso: string): ZonedDateTime => parseAbsolute(iso, viewerZone);
