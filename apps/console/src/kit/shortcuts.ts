import { useEffect, useEffectEvent } from "react";
import { createStore } from "./store.ts";

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

const screenKeys = createStore<readonly ScreenKey[]>([]);

/** The shortcuts of the screen that is shown, in the order in which it declares them. */
export const useScreenKeys = (): readonly ScreenKey[] => screenKeys.use();

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
    screenKeys.set([...screenKeys.get(), declared]);
    return () => screenKeys.set(screenKeys.get().filter((each) => each !== declared));
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

/** The key of shortcuts with a letter, as it is called on this system. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Whether keys are entered into what has the focus, so that they are no shortcuts. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"));
