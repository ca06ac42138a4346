import type { ReactNode } from "react";
import { useStrings } from "../words/strings.tsx";
import { Overlay } from "./Overlay.tsx";
import { WorkButton } from "./WorkButton.tsx";
import { Wrong } from "./Wrong.tsx";

interface ConfirmProps {
  title: string;
  /** The button's text: what happens */
  action: string;
  isPending: boolean;
  error?: string | undefined;
  close: () => void;
  onConfirm: () => void;
  children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, action, isPending, error, close, onConfirm, children }: ConfirmProps) {
  const { settings } = useStrings();
  return (
    <Overlay title={title} close={close}>
      {children}
      <Wrong>{error}</Wrong>
      <footer className="actions">
        <button type="button" className="button secondary" autoFocus onClick={close}>
          {settings.cancel}
        </button>
        <WorkButton className="button danger" isAtWork={isPending} onClick={onConfirm}>
          {action}
        </WorkButton>
      </footer>
    </Overlay>
  );
}
