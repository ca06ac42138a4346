/** What words and figures are written with. A format takes about 2 MB, so a process has it from its first use on. */

const once = <Made>(make: (language: string) => Made): ((language: string) => Made) => {
  const made = new Map<string, Made>();
  return (language) => {
    let one = made.get(language);
    if (one === undefined) made.set(language, (one = make(language)));
    return one;
  };
};

const dates: Record<"day" | "hour" | "month", Intl.DateTimeFormatOptions> = {
  hour: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  day: { dateStyle: "long" },
  month: { month: "long", year: "numeric" },
};
// Everywhere English is read, "1 May 2026" is one day.
const formats = once((language) =>
  Object.fromEntries(
    Object.entries(dates).map(([unit, options]) => [
      unit,
      new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...options, timeZone: "UTC" }),
    ]),
  ),
);
const numbers = once((language) => new Intl.NumberFormat(language));
const plurals = once((language) => new Intl.PluralRules(language));
const waits = once((language) => new Intl.RelativeTimeFormat(language));
const regions = once((language) => new Intl.DisplayNames([language], { type: "region" }));

/** As in "1 May 2026", "1 May, 13:00" or "May 2026", in UTC. */
export const dateOf = (language: string, time: Date | string, unit: keyof typeof dates = "day"): string =>
  formats(language)[unit]?.format(new Date(time)) ?? "";

/** As in "1,234". */
export const numberOf = (language: string, value: number): string => numbers(language).format(value);

/** The one of two forms that a number takes. */
export const pluralOf = (language: string, value: number, one: string, other: string): string =>
  plurals(language).select(value) === "one" ? one : other;

/** As in "in 30 seconds" or "in 2 minutes". */
export const waitOf = (language: string, seconds: number): string =>
  seconds < 60
    ? waits(language).format(seconds, "second")
    : waits(language).format(Math.ceil(seconds / 60), "minute");

/** The name of a country; anything but an ISO 3166-1 code as it is. */
export const countryOf = (language: string, code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (regions(language).of(code) ?? code) : code;
