import type { MailKind, MailKinds, MailTopic, ReportLine, ReportSection } from "./mail.types.ts";

/** A line of a list: what it is, its value if it has one, a remark, where the console shows it. */
export interface Line {
  label: string;
  value?: string | undefined;
  note?: string | undefined;
  path: string;
}

/** A part of a mail: a paragraph, a code in large figures, a button, or lines with numbers. */
export type Block =
  | string
  | { code: string }
  | { button: string; path: string }
  | { title: string; isPart?: boolean; lines: readonly Line[] };

export interface Content {
  subject: string;
  blocks: readonly Block[];
}

/** Numbers and times in the language of a mail; times in UTC. */
export interface Formats {
  number(value: number): string;
  /** A ratio such as 0.5, as +50 % */
  change(ratio: number): string;
  time(iso: string): string;
  day(day: string): string;
}

/** The kind's data and secrets; the latter are dots where an operator reads the mail. */
type FieldsOf<K extends MailKind> = MailKinds[K]["data"] &
  (MailKinds[K] extends { secret: infer Secret } ? Secret : unknown);

/** The texts of all mails in a language. */
export type MailWords = {
  [K in MailKind]: (fields: FieldsOf<K>, formats: Formats) => Content;
} & {
  /** At the end of every mail; `service` is the public address */
  footer: (service: string) => string;
  /** Names of what can be switched off */
  topics: Readonly<Record<MailTopic, string>>;
  unsubscribe: string;
};

/** Where and by what something happened, as far as that is known. */
export const joined = (separator: string, ...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== "").join(separator);

/** The texts of reports in a language. */
interface ReportWords {
  subject: (names: string, weekly: boolean, from: string, to: string) => string;
  intro: (from: string, to: string) => string;
  clicks: string;
  uncounted: string;
  all: string;
  before: (clicks: string) => string;
  lists: Readonly<Record<ReportSection["lists"][number]["kind"], string>>;
  settings: string;
}

/** The template of reports: a part for each workspace and tag. */
export const reportOf =
  (words: ReportWords): MailWords["report"] =>
  ({ frequency, from, to, sections }, { day, number, change }) => {
    const names = [...new Set(sections.map(({ name }) => name))].join(", ");
    const lineOf = ({ name, count, before, path }: ReportLine): Line => ({
      label: name ?? words.all,
      value: count === undefined ? undefined : number(count),
      note: before === undefined ? undefined : words.before(number(before)),
      path,
    });
    const blocksOf = ({ name, tag, path, clicks, change: ratio, lists }: ReportSection): Block[] => {
      const value = clicks === null ? words.uncounted : number(clicks);
      const note = ratio === null ? undefined : change(ratio);
      return [
        {
          title: joined(" · ", name, tag),
          lines: [{ label: words.clicks, value, note, path }],
        },
        ...lists.map(({ kind, lines }) => ({
          title: words.lists[kind],
          isPart: true,
          lines: lines.map(lineOf),
        })),
      ];
    };
    return {
      subject: words.subject(names, frequency === "weekly", day(from), day(to)),
      blocks: [
        words.intro(day(from), day(to)),
        ...sections.flatMap(blocksOf),
        { button: words.settings, path: "/settings/profile" },
      ],
    };
  };
