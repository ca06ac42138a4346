import type { RefObject } from "react";
import { useFocusNext } from "./focus.ts";

/**
 * Changes rows of a form, which are in `container`, each an element with its key as `data-row`. Focus stays on the button
 * that moved a row; at an end of the list, where that button is off, it goes to its neighbour.
 */
export function useRows<Row extends { key: number }>(
  container: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  onChange: (rows: Row[]) => void,
) {
  const focusNext = useFocusNext(container);
  const moveTo = (from: number, to: number) => {
    const row = rows[from];
    if (row && from !== to && to >= 0 && to < rows.length)
      onChange(rows.toSpliced(from, 1).toSpliced(to, 0, row));
  };
  return {
    focusNext,
    moveTo,
    move(at: number, by: 1 | -1) {
      const button = (towards: number) => `[data-row="${rows[at]?.key}"] [data-towards="${towards}"]:enabled`;
      focusNext(button(by), button(-by));
      moveTo(at, at + by);
    },
    change: (key: number, part: Partial<Row>) =>
      onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row))),
    /** Adds a row; the first field in it gets the focus. */
    add(row: Row, field = "input") {
      focusNext(`li:last-child ${field}`);
      onChange([...rows, row]);
    },
    remove: (at: number) => onChange(rows.toSpliced(at, 1)),
  };
}
