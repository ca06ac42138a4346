import { type ReactNode, useRef, useState } from "react";
import { SmallDialog } from "./SmallDialog.tsx";

/** A button that opens a small dialog below itself; `children` receives what closes it. */
export function PopoverButton({
  text,
  title,
  className,
  children,
}: {
  text: string;
  title: string;
  className: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      {isOpen && (
        <SmallDialog trigger={trigger} title={title} close={close} align="end">
          {children(close)}
        </SmallDialog>
      )}
    </>
  );
}
