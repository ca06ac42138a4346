import { useEffect, useState } from "react";
import { createStore } from "./store.ts";
import { useStrings } from "../words/strings.tsx";
import { TextButton } from "./Button.tsx";
import "./toasts.css";

interface Toast {
  id: number;
  text: string;
  /** Takes back what the toast tells */
  undo?: (() => void) | undefined;
  /** Called when the toast has gone and can no longer be undone, also because the page closes */
  ended?: (() => void) | undefined;
}

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;
const shownFor = 8000;
const mostAtOnce = 3;

/** Removes a toast; false if it has gone already. */
function remove({ id }: Toast): boolean {
  const isShown = toasts.get().some((toast) => toast.id === id);
  if (isShown) toasts.set(toasts.get().filter((toast) => toast.id !== id));
  return isShown;
}

function end(toast: Toast): void {
  if (remove(toast)) toast.ended?.();
}

function takeBack(toast: Toast): void {
  if (remove(toast)) toast.undo?.();
}

/**
 * Shows a sentence at the lower edge for eight seconds, longer while the pointer or the focus is on it. `ended` is called
 * when it has gone, unless it was undone.
 */
export function say(text: string, undo?: () => void, ended?: Toast["ended"]): void {
  const [oldest] = toasts.get();
  if (oldest && toasts.get().length >= mostAtOnce) end(oldest);
  toasts.set([...toasts.get(), { id: ++lastId, text, undo, ended }]);
}

/** Takes back what the newest toast with an undo tells. False if there is none. */
export function undoLast(): boolean {
  const toast = toasts.get().findLast(({ undo }) => undo);
  if (toast) takeBack(toast);
  return toast !== undefined;
}

// A tab that closes carries out what could still be undone.
addEventListener("pagehide", () => {
  for (const toast of toasts.get()) end(toast);
});

export function Toasts() {
  const strings = useStrings();
  const shown = toasts.use();
  const [isHeld, setHeld] = useState(false);
  const none = shown.length === 0;
  // An element that goes away under the pointer or with the focus sends no event.
  useEffect(() => setHeld(false), [none]);
  return (
    <section
      className="toasts"
      aria-label={strings.frame.messages}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="status">
        {shown.map((toast) => (
          <Message key={toast.id} toast={toast} isHeld={isHeld} />
        ))}
      </div>
    </section>
  );
}

function Message({ toast, isHeld }: { toast: Toast; isHeld: boolean }) {
  const strings = useStrings();
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => end(toast), shownFor);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <p className="toast">
      {toast.text}
      {toast.undo && <TextButton onClick={() => takeBack(toast)}>{strings.frame.undo}</TextButton>}
      <TextButton aria-label={strings.frame.dismiss} onClick={() => end(toast)}>
        ✕
      </TextButton>
    </p>
  );
}
