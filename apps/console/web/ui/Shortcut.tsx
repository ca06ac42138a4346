import { nameOfKey, useKey } from "../frame/shortcuts.ts";

interface ShortcutProps {
  name: string;
  meaning: string;
  run: () => void;
}

/** The key that does what the button around it does; it is no part of the name of the button. */
export function Shortcut({ name, meaning, run }: ShortcutProps) {
  useKey(name, run, meaning);
  return <kbd aria-hidden="true">{nameOfKey(name)}</kbd>;
}
