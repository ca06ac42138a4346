import { type ReactNode, useState } from "react";

/** A button that opens a dialog; `children` receives what closes it. */
export function DialogButton({
  text,
  children,
}: {
  text: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
