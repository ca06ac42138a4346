import { DayField } from "../../kit/fields.ts";
import { type Granularity, periods } from "@terse/core/browser";
import { useState } from "react";
import { changeZone } from "../../kit/format/format.ts";
import { useKey } from "../../kit/shortcuts.ts";
import { useStrings } from "../../words/strings.tsx";
import { PopoverButton } from "../../kit/PopoverButton.tsx";
import { Select } from "../../kit/Choices.tsx";
import { zones } from "../../kit/format/zone.ts";
import { addDays, dayIn } from "../../kit/format/days.ts";
import { daysOf, type Figures, granularitiesFor } from "./figures.ts";
import { windowName } from "./names.ts";
import { comparisons, type ReportState } from "./search.ts";
import { without } from "../../kit/without.ts";
import { MainButton } from "../../kit/Button.tsx";

/** Which window a report is about: a period that ends now, or the days that one picks. */
export function RangeBar({ state, figures }: { state: ReportState; figures: Figures | undefined }) {
  const { analytics, report } = useStrings();
  const { search, zone, change } = state;
  const isChosen = search.from !== undefined;
  const chosen = search.period ?? "30d";
  return (
    <div className="segments" role="group" aria-label={report.period}>
      <div role="radiogroup" aria-label={report.period} className="segments">
        {periods.map((each, at) => (
          <PeriodChoice
            key={each}
            shortcut={String(at + 1)}
            text={report.periods[each]}
            isChosen={!isChosen && each === chosen}
            choose={() =>
              change((before) => ({ ...without(before, "from", "to", "granularity"), period: each }))
            }
          />
        ))}
      </div>
      <PopoverButton
        className={isChosen ? "segment chosen" : "segment"}
        text={isChosen && figures ? windowName(zone, figures) : analytics.custom}
        title={analytics.custom}
      >
        {(close) => <DayRange state={state} figures={figures} close={close} />}
      </PopoverButton>
    </div>
  );
}

interface PeriodChoiceProps {
  shortcut: string;
  text: string;
  isChosen: boolean;
  choose: () => void;
}

/** One of the periods; its key is the number of its place. */
function PeriodChoice({ shortcut, text, isChosen, choose }: PeriodChoiceProps) {
  const { report } = useStrings();
  useKey(shortcut, choose, `${report.period}: ${text}`);
  return (
    <label>
      <input type="radio" name="period" checked={isChosen} onChange={choose} />
      {text}
    </label>
  );
}

function DayRange({
  state: { search, zone, change },
  figures,
  close,
}: {
  state: ReportState;
  figures: Figures | undefined;
  close: () => void;
}) {
  const { analytics } = useStrings();
  const today = dayIn(zone, Date.now());
  const { first, last } = figures ? daysOf(figures, zone) : { first: addDays(today, -29), last: today };
  const [from, setFrom] = useState(search.from ?? first);
  const [to, setTo] = useState(search.to ?? (last > today ? today : last));
  const [isMissing, setMissing] = useState(false);
  const isReversed = from !== "" && to !== "" && from > to;
  return (
    <form
      className="day-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (from === "" || to === "") return setMissing(true);
        if (isReversed) return;
        change((before) => ({ ...without(before, "period", "granularity"), from, to }), "push");
        close();
      }}
    >
      <DayField
        label={analytics.firstDay}
        autoFocus
        value={from}
        max={today}
        onChange={setFrom}
        error={isMissing && from === "" ? analytics.dayMissing : undefined}
      />
      <DayField
        label={analytics.lastDay}
        value={to}
        max={today}
        onChange={setTo}
        error={
          isReversed ? analytics.daysReversed : isMissing && to === "" ? analytics.dayMissing : undefined
        }
      />
      <MainButton type="submit" disabled={isReversed}>
        {analytics.show}
      </MainButton>
    </form>
  );
}

/** How the chart is drawn: the length of a row, what it is compared with, and the time zone. */
export function ChartSettings({ state, figures }: { state: ReportState; figures: Figures }) {
  const { analytics } = useStrings();
  const { search, zone, change } = state;
  const lengths = granularitiesFor(figures, zone);
  const draw = (granularity: Granularity) => change((before) => ({ ...before, granularity }));
  useKey(
    "h",
    () => lengths.includes("hour") && draw("hour"),
    `${analytics.by}: ${analytics.granularities.hour}`,
  );
  return (
    <div className="chart-settings line">
      <label>
        {analytics.by}
        <Select
          className="inline-select"
          value={figures.granularity}
          values={lengths}
          textOf={(name) => analytics.granularities[name]}
          onChange={draw}
        />
      </label>
      {figures.period !== "all" && (
        <label>
          {analytics.against}
          <Select
            className="inline-select"
            value={search.against ?? "before"}
            values={comparisons}
            textOf={(name) => analytics.comparisons[name]}
            onChange={(next) =>
              change((before) => {
                const rest = without(before, "against");
                return next === "before" ? rest : { ...rest, against: next };
              })
            }
          />
        </label>
      )}
      <label>
        {analytics.zone}
        <Select
          className="inline-select"
          value={zone}
          values={zones(zone)}
          textOf={(name) => name.replaceAll("_", " ")}
          isLong
          onChange={(tz) => {
            changeZone(tz);
            change((before) => ({ ...before, tz }));
          }}
        />
      </label>
    </div>
  );
}
