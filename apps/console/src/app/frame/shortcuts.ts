import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { linkOfShortUrl, mayBeShortUrl } from "../../features/links/short-url.ts";
import { isTyping } from "../../kit/is-typing.ts";
import { usePlaces } from "./places.ts";
import { undoLast } from "../../kit/toasts.tsx";

const key = "terse.shortcuts";

/** Single-key shortcuts can be switched off (WCAG 2.2, success criterion 2.1.4). */
export const shortcutsEnabled = (): boolean => localStorage.getItem(key) !== "off";
export const enableShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(key) : localStorage.setItem(key, "off");

const isUrl = (text: string) => /^(?:https?:\/\/)?[^\s/]+\.[^\s/]{2,}(?:\/\S*)?$/i.test(text.trim());

/** The shortcuts of every screen. A key of one screen is handled there, by `useKey`. */
export function useShortcuts({
  openPalette,
  openHelp,
}: {
  openPalette: () => void;
  openHelp: () => void;
}): void {
  const navigate = useNavigate();
  const places = usePlaces();
  const create = (url: string) => void navigate({ to: "/", search: { new: url } });
  const onKey = useEffectEvent((event: KeyboardEvent, isAfterG: boolean) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") return openPalette();
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !shortcutsEnabled()) {
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isTyping(event.target) && undoLast())
        return;
      return false;
    }
    if (isAfterG) {
      const place = places.find(({ key: letter }) => letter === event.key);
      if (place) return void navigate({ to: place.to });
      return false;
    }
    if (event.key === "?") return openHelp();
    if (event.key === "c") return create("");
    if (event.key === "/" && !searchField()) {
      return void navigate({ to: "/" }).then(() => requestAnimationFrame(() => searchField()?.focus()));
    }
    return false;
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isTyping(event.target) || !(isUrl(text) || mayBeShortUrl(text))) return;
    event.preventDefault();
    void linkOfShortUrl(text).then((id) => {
      if (id !== null) void navigate({ to: "/links/$id", params: { id } });
      else if (isUrl(text)) create(text.trim());
    });
  });
  useEffect(() => {
    let lastG = 0;
    const keydown = (event: KeyboardEvent) => {
      if (document.querySelector('[role="dialog"]')) return;
      const handled = onKey(event, Date.now() - lastG < 1000) !== false;
      lastG = event.key === "g" && !isTyping(event.target) ? Date.now() : 0;
      if (handled) event.preventDefault();
    };
    const paste = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener("keydown", keydown);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("keydown", keydown);
      document.removeEventListener("paste", paste);
    };
  }, []);
}

const searchField = () => document.querySelector<HTMLInputElement>('main input[type="search"]');

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
