import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Dialog,
  Heading,
  Popover,
} from "react-aria-components";
import "./overlay.css";
import "./time-field.css";

/** What fields for days and times have in common: the button at their end, and the calendar that it opens. */

export const CalendarButton = () => <Button className="text-button">▾</Button>;

export function CalendarPopover() {
  return (
    <Popover className="calendar">
      <Dialog>
        <Calendar>
          <header>
            <Button slot="previous" className="text-button">
              ‹
            </Button>
            <Heading />
            <Button slot="next" className="text-button">
              ›
            </Button>
          </header>
          <CalendarGrid>
            <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
            <CalendarGridBody>{(date) => <CalendarCell date={date} />}</CalendarGridBody>
          </CalendarGrid>
        </Calendar>
      </Dialog>
    </Popover>
  );
}
