import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { linkOfShortUrl, mayBeShortUrl } from "../../features/links/short-url.ts";
import { useMay } from "../../kit/api/account.ts";
import { isTyping, shortcutsEnabled } from "../../kit/shortcuts.ts";
import { undoLast } from "../../kit/toasts.tsx";
import { usePlaces } from "../places.ts";

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
  const mayCreate = useMay("links:write");
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
      if (place) return void navigate({ to: place.path });
      return false;
    }
    if (event.key === "?") return openHelp();
    if (event.key === "c" && mayCreate) return create("");
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
      else if (mayCreate && isUrl(text)) create(text.trim());
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
