import { useEffect, useEffectEvent } from "react";
import { isTyping } from "../../kit/shortcuts.ts";

interface ListKeys {
  /** Moves by rows, down or up; `isExtending` selects what is passed */
  move: (by: 1 | -1, isExtending: boolean) => void;
  selectAll: () => void;
  clear: () => void;
  remove: () => void;
  toggle: () => void;
}

const isSearch = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input[type=search]");
const isControl = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("button, input, [role=button]");

/**
 * The keys of a list that are no letters: arrows, Space, Delete, Escape and Ctrl+A (on a Mac, Command). The down arrow also
 * leads from the search field to the rows.
 */
export function useListKeys(keys: ListKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    const { key, target, shiftKey } = event;
    if (document.querySelector('[role="dialog"]')) return false;
    if (isTyping(target) && !(isSearch(target) && key === "ArrowDown")) return false;
    if (event.ctrlKey || event.metaKey) {
      if (key.toLowerCase() !== "a" || event.altKey || shiftKey) return false;
      keys.selectAll();
      return true;
    }
    if (event.altKey) return false;
    if (key === "ArrowDown" || key === "ArrowUp") keys.move(key === "ArrowDown" ? 1 : -1, shiftKey);
    else if (key === "Escape") keys.clear();
    else if (key === "Delete") keys.remove();
    else if (key === " " && !isControl(target)) keys.toggle();
    else return false;
    return true;
  });
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && onKey(event)) event.preventDefault();
    };
    document.addEventListener("keydown", keydown);
    return () => document.removeEventListener("keydown", keydown);
  }, []);
}
