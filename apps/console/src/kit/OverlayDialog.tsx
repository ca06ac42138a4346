import type { ReactNode } from "react";
import { Dialog, Heading, I18nProvider, Modal, ModalOverlay } from "react-aria-components";
import { viewerLocale } from "../words/language.ts";
import { useStrings } from "../words/strings.tsx";
import { useScreenFocusAfter } from "./focus.ts";
import { TextButton } from "./Button.tsx";

export interface OverlayProps {
  title: string;
  close: () => void;
  children: ReactNode;
  /** A panel stands at the side, a wide one has two columns; a dialog is in the middle */
  shape?: "dialog" | "panel" | "wide";
  /** Whether a press outside closes it, which it must not if what it shows is shown once */
  isDismissable?: boolean;
}

/** A modal dialog: Escape and a press outside close it, focus stays inside and returns afterwards. */
export default function OverlayDialog({
  title,
  close,
  children,
  shape = "dialog",
  isDismissable = true,
}: OverlayProps) {
  const strings = useStrings();
  useScreenFocusAfter(); // if what opened it, and would get the focus, is gone
  return (
    <I18nProvider locale={viewerLocale()}>
      <ModalOverlay
        isOpen
        isDismissable={isDismissable}
        onOpenChange={(isOpen) => !isOpen && close()}
        className="overlay"
      >
        <Modal className={shape}>
          <Dialog>
            <header>
              <Heading slot="title">{title}</Heading>
              <TextButton onClick={close} aria-label={strings.frame.close}>
                ✕
              </TextButton>
            </header>
            {children}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}
