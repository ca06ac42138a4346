import { type ReactNode, useState } from "react";
import { Shortcut } from "./Shortcut.tsx";

/** A button, or its key, opens a dialog; `children` receives what closes it. */
export function DialogButton({
  text,
  shortcut,
  children,
}: {
  text: string;
  shortcut?: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  return (
    <>
      <button type="button" className="button secondary" aria-haspopup="dialog" onClick={open}>
        {text}
        {shortcut && <Shortcut name={shortcut} meaning={text} run={open} />}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
