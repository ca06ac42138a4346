import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { isTyping } from "./is-typing.ts";

const key = "terse.shortcuts";

/** Single-key shortcuts can be switched off (WCAG 2.2, success criterion 2.1.4). */
export const shortcutsEnabled = (): boolean => localStorage.getItem(key) !== "off";
export const enableShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(key) : localStorage.setItem(key, "off");

/** A shortcut of the screen that is shown, and what it does. */
export interface ScreenKey {
  name: string;
  meaning: string;
  run: () => void;
}

let screenKeys: readonly ScreenKey[] = [];
const listeners = new Set<() => void>();

function change(next: readonly ScreenKey[]): void {
  screenKeys = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The shortcuts of the screen that is shown, in the order in which it declares them. */
export const useScreenKeys = (): readonly ScreenKey[] => useSyncExternalStore(subscribe, () => screenKeys);

/**
 * Runs `action` when the key is pressed outside of fields and dialogs. With a `meaning`, in words, the list of shortcuts
 * and the palette offer it too.
 */
export function useKey(name: string, action: () => void, meaning?: string): void {
  const run = useEffectEvent(action);
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => {
      if (event.key !== name || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || !shortcutsEnabled() || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", keydown);
    return () => document.removeEventListener("keydown", keydown);
  }, [name]);
  useEffect(() => {
    if (meaning === undefined) return undefined;
    const declared: ScreenKey = { name, meaning, run: () => run() };
    change([...screenKeys, declared]);
    return () => change(screenKeys.filter((each) => each !== declared));
  }, [name, meaning]);
}

/** A key as its cap shows it. */
export const nameOfKey = (name: string): string =>
  name.length === 1 ? name.toUpperCase() : (caps[name] ?? name);
const caps: Record<string, string> = {
  " ": "␣",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};
