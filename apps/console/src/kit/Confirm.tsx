import type { ReactNode } from "react";
import { useStrings } from "../words/strings.tsx";
import { Overlay } from "./Overlay.tsx";
import { Wrong } from "./Field.tsx";
import { Button, MainButton } from "./Button.tsx";

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
        <Button autoFocus onClick={close}>
          {settings.cancel}
        </Button>
        <MainButton isDanger isAtWork={isPending} onClick={onConfirm}>
          {action}
        </MainButton>
      </footer>
    </Overlay>
  );
}
