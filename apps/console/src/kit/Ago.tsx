import { formatAgo, formatExact } from "./format/format.ts";

/** A time in words, such as "3 hours ago"; exact when pointed at. `say` puts it into a sentence. */
export function Ago({ at, say = (when) => when }: { at: string; say?: (when: string) => string }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {say(formatAgo(at))}
    </time>
  );
}
