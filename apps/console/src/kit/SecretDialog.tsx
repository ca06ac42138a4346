import type { ReactNode } from "react";
import { useStrings } from "../words/strings.tsx";
import { CopiedText } from "./CopiedText.tsx";
import { Overlay } from "./Overlay.tsx";
import { MainButton } from "./Button.tsx";

interface SecretDialogProps {
  title: string;
  /** Says that the secret is shown only now */
  lead: string;
  secret: string;
  label: string;
  /** The name of the button that copies it */
  copy: string;
  close: () => void;
  /** How it is used */
  children: ReactNode;
}

/** Shows a new secret, which cannot be shown again; only its button closes it. */
export function SecretDialog({ title, lead, secret, label, copy, close, children }: SecretDialogProps) {
  const { settings } = useStrings();
  return (
    <Overlay title={title} close={close} isDismissable={false}>
      <div className="form">
        <p role="status">{lead}</p>
        <CopiedText value={secret} label={label} action={copy} autoFocus />
        {children}
        <footer>
          <MainButton onClick={close}>{settings.done}</MainButton>
        </footer>
      </div>
    </Overlay>
  );
}
