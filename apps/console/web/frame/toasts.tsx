import { useSyncExternalStore } from "react";
import { useStrings } from "../strings/strings.tsx";

interface Toast {
  id: number;
  text: string;
  /** Takes back what the toast tells */
  undo?: (() => void) | undefined;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const shownFor = 8000;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

/** Shows a sentence at the lower edge for eight seconds. */
export function say(text: string, undo?: () => void): void {
  const id = ++lastId;
  change([...toasts.slice(-2), { id, text, undo }]);
  setTimeout(() => dismiss(id), shownFor);
}

/** Takes back what the newest toast with an undo tells. False if there is none. */
export function undoLast(): boolean {
  const toast = toasts.findLast(({ undo }) => undo);
  if (!toast) return false;
  dismiss(toast.id);
  toast.undo?.();
  return true;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const strings = useStrings();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, undo }) => (
        <p key={id} className="toast">
          {text}
          {undo && (
            <button
              type="button"
              className="plain"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              {strings.frame.undo}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
