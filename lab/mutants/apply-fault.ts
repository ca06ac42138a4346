import type { Fault } from "./faults.ts";

/** Returns the source with the fault in it. Throws unless the text that it replaces occurs exactly once. */
export function applyFault({ name, file, search, replace }: Fault, source: string): string {
  const [before, after, ...more] = source.split(search);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(
      `"${name}": ${file} has its search text ${more.length > 0 ? "more than once" : "no longer"}; update lab/mutants/faults.ts`,
    );
  return before + replace + after;
}
