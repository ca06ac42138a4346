import { dayMs, utcDate } from "./time.ts";

const padded = (count: number, digits: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, "0"));
const minutes = padded(24, 2).flatMap((hour) => padded(60, 2).map((minute) => `T${hour}:${minute}:`));
const seconds = padded(60, 2).map((second) => `${second}.`);
const milliseconds = padded(1000, 3).map((millisecond) => `${millisecond}Z`);

/** Returns `Date.prototype.toISOString` for many times, in milliseconds since the epoch: a fifth of its time. */
export function timeTexts(): (time: number) => string {
  let [start, date] = [0, utcDate(0)];
  return (time) => {
    if (time < start || time >= start + dayMs) {
      start = Math.floor(time / dayMs) * dayMs;
      date = utcDate(start);
    }
    const second = Math.floor((time - start) / 1000);
    const minute = Math.floor(second / 60);
    return `${date}${minutes[minute]}${seconds[second - minute * 60]}${milliseconds[(time - start) % 1000]}`;
  };
}
