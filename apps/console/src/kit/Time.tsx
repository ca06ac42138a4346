import { formatAgo, formatExact } from "./format/format.ts";

/** A time in words such as "3 hours ago", exact on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {formatAgo(at)}
    </time>
  );
}
