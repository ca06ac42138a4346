import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { undoLast } from "./toasts.tsx";

const key = "terse.shortcuts";

/** Single-key shortcuts can be switched off (WCAG 2.2, success criterion 2.1.4). */
export const shortcutsEnabled = (): boolean => localStorage.getItem(key) !== "off";
export const enableShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(key) : localStorage.setItem(key, "off");

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

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
  const create = (url: string) => void navigate({ to: "/", search: { new: url } });
  const onKey = useEffectEvent((event: KeyboardEvent, isAfterG: boolean) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") return openPalette();
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !shortcutsEnabled()) {
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isTyping(event.target) && undoLast())
        return;
      return false;
    }
    if (isAfterG) {
      if (event.key === "l") return void navigate({ to: "/" });
      if (event.key === "a") return void navigate({ to: "/analytics" });
      if (event.key === "b") return void navigate({ to: "/buckets" });
      if (event.key === "d") return void navigate({ to: "/domains" });
      if (event.key === "s") return void navigate({ to: "/settings" });
      return false;
    }
    if (event.key === "?") return openHelp();
    if (event.key === "c") return create("");
    return false;
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isTyping(event.target) || !isUrl(text)) return;
    event.preventDefault();
    create(text.trim());
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

/** Runs `action` when the key is pressed outside of fields and dialogs. */
export function useKey(name: string, action: () => void): void {
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
}
