import { type ReactNode, useState } from "react";
import { Shortcut } from "./Shortcut.tsx";
import { Button } from "./Button.tsx";

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
      <Button aria-haspopup="dialog" onClick={open}>
        {text}
        {shortcut && <Shortcut name={shortcut} meaning={text} run={open} />}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
