import { formatAgo, formatDay, formatExact } from "./format/format.ts";

interface TimeProps {
  at: string;
  /** Puts the words for it into a sentence */
  say?: (when: string) => string;
  className?: string | undefined;
}

/** A time in words, such as "3 hours ago"; exact when pointed at. */
export const Ago = (time: TimeProps) => shown(formatAgo, time);

/** The day of a time; exact when pointed at. */
export const Day = (time: TimeProps) => shown(formatDay, time);

const shown = (format: (at: string) => string, { at, say = String, className }: TimeProps) => (
  <time dateTime={at} title={formatExact(at)} className={className}>
    {say(format(at))}
  </time>
);
