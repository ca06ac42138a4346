import { type ReactNode, useRef, useState } from "react";
import { Dialog, Popover } from "react-aria-components";

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
      <Popover
        triggerRef={trigger}
        isOpen={isOpen}
        onOpenChange={setOpen}
        placement="bottom end"
        className="popover"
      >
        <Dialog aria-label={title}>{children(() => setOpen(false))}</Dialog>
      </Popover>
    </>
  );
}
