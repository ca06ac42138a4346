import type { ReactNode } from "react";
import { nameOfKey, useKey } from "./shortcuts.ts";

interface ShortcutProps {
  name: string;
  meaning: string;
  run: () => void;
}

/** A key as it is drawn on the button that it presses; it is no part of the name of the button. */
export const KeyCap = ({ children }: { children: ReactNode }) => <kbd aria-hidden="true">{children}</kbd>;

/** The key that does what the button around it does. */
export function Shortcut({ name, meaning, run }: ShortcutProps) {
  useKey(name, run, meaning);
  return <KeyCap>{nameOfKey(name)}</KeyCap>;
}
