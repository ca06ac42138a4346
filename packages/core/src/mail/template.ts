import type { MailKind, MailKinds, MailTopic, ReportLine } from "./mail.types.ts";

/** A part of a mail: a paragraph, a code in large figures, a button, or lines with numbers. */
export type Block =
  | string
  | { code: string }
  | { button: string; path: string }
  | { title: string; lines: readonly ReportLine[] };

export interface Content {
  subject: string;
  blocks: readonly Block[];
}

/** Numbers and times in the language of a mail; times in UTC. */
export interface Formats {
  number(value: number): string;
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
