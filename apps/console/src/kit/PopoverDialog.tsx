import type { ReactNode, RefObject } from "react";
import { Dialog, I18nProvider, Popover } from "react-aria-components";
import { viewerLocale } from "../words/language.ts";

export interface PopoverDialogProps {
  /** What it is placed at, and what the focus returns to */
  trigger: RefObject<HTMLElement | null>;
  title: string;
  close: () => void;
  /** Where its edge is aligned with the trigger's */
  align?: "start" | "end";
  children: ReactNode;
}

/** A small dialog beside what opened it. */
export default function PopoverDialog({
  trigger,
  title,
  close,
  align = "start",
  children,
}: PopoverDialogProps) {
  return (
    <I18nProvider locale={viewerLocale()}>
      <Popover
        triggerRef={trigger}
        isOpen
        onOpenChange={(isOpen) => !isOpen && close()}
        placement={`bottom ${align}`}
        className="popover"
      >
        <Dialog aria-label={title}>{children}</Dialog>
      </Popover>
    </I18nProvider>
  );
}
