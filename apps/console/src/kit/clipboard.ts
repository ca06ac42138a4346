import { say } from "./toasts.tsx";

/**
 * Copies a text; false if the browser does not allow it. Browsers have `navigator.clipboard` only on https and on localhost, and
 * Safari refuses it a while after the press.
 */
async function copyText(text: string): Promise<boolean> {
  // Typed as if it were always there.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Without the permission, the older command may still do it.
    }
  }
  return copyBySelection(text);
}

/** Copies a text, and says what was copied, or that it could not be. */
export async function copyAndSay(text: string, copied: string, refused: string): Promise<void> {
  say((await copyText(text)) ? copied : refused);
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true; // or phones open their keyboard
  field.className = "unseen";
  field.setAttribute("aria-hidden", "true");
  // A dialog keeps the focus inside of itself.
  (focused?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
