/** What an account's sums by value are about: a UTC day or a month. */
export interface AccountPeriod {
  account_id: string;
  period: "day" | "month";
  /** Its first day, as YYYY-MM-DD */
  start: string;
}

/** The first day of the month of a day; both as YYYY-MM-DD. */
export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;
