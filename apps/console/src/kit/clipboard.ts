import { say } from "./toasts.tsx";

/**
 * Copies a text, or an image that is still being drawn, and says so, or that the browser does not allow it. Browsers have
 * `navigator.clipboard` only on https and on localhost, and Safari refuses it a while after the press.
 */
export async function copyAndSay(
  content: string | Promise<Blob>,
  copied: string,
  refused: string,
): Promise<void> {
  say((await copy(content)) ? copied : refused);
}

async function copy(content: string | Promise<Blob>): Promise<boolean> {
  // Typed as if it were always there.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (typeof content !== "string") await clipboard?.write([new ClipboardItem({ "image/png": content })]);
    else await clipboard?.writeText(content);
    if (clipboard) return true;
  } catch {
    // Without the permission, the older command may still copy a text.
  }
  return typeof content === "string" && copyBySelection(content);
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
