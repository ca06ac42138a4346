import { nameOfKey, useKey } from "../frame/shortcuts.ts";

interface ShortcutProps {
  name: string;
  meaning: string;
  run: () => void;
}

/** The key that does what the button around it does. */
export function Shortcut({ name, meaning, run }: ShortcutProps) {
  useKey(name, run, meaning);
  return <kbd>{nameOfKey(name)}</kbd>;
}
