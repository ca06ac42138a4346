import { type ReactNode, useRef, useState } from "react";
import { Shortcut } from "./Shortcut.tsx";
import { SmallDialog } from "./SmallDialog.tsx";

/** A button, or its key, opens a small dialog below it; `children` receives what closes it. */
export function PopoverButton({
  text,
  title,
  className,
  shortcut,
  children,
}: {
  text: string;
  title: string;
  className: string;
  shortcut?: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  const close = () => setOpen(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={trigger} type="button" className={className} aria-haspopup="dialog" onClick={open}>
        {text}
        {shortcut && <Shortcut name={shortcut} meaning={title} run={open} />}
      </button>
      {isOpen && (
        <SmallDialog trigger={trigger} title={title} close={close} align="end">
          {children(close)}
        </SmallDialog>
      )}
    </>
  );
}
