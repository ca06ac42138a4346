import { useEffect, useState } from "react";
import type { ImportRow, Refusal } from "./job.ts";
import { check, chunkAt, retryAfter } from "./send.ts";
import { reasonOf } from "../../kit/reason.ts";

interface Checked {
  checked: number;
  refused: readonly Refusal[];
  /** Why the check ended before all links were checked */
  error: string | null;
}

const nothing: Checked = { checked: 0, refused: [], error: null };

/** Asks the service what it would refuse, chunk by chunk, without creating anything. */
export function useCheck(rows: readonly ImportRow[]): Checked {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    async function checkAll() {
      const refused: Refusal[] = [];
      let checked = 0;
      setState(nothing);
      while (checked < rows.length) {
        const chunk = chunkAt(rows, checked);
        try {
          const { results } = await check(chunk, signal);
          if (signal.aborted) return;
          for (const { index, ...result } of results) {
            const reason = reasonOf(result);
            if (reason !== undefined) refused.push({ row: chunk[index]?.row ?? 0, reason });
          }
          checked += chunk.length;
          setState({ checked, refused: [...refused], error: null });
        } catch (error) {
          if (signal.aborted) return;
          const seconds = retryAfter(error);
          if (seconds === null) return setState({ checked, refused, error: (error as Error).message });
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
          if (signal.aborted) return;
        }
      }
    }
    // A moment later, so that a choice of columns that changes at once is not checked.
    const timer = setTimeout(() => void checkAll(), 150);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [rows]);
  return state;
}
