import { useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { Field } from "../ui/Field.tsx";
import { Overlay } from "../ui/Overlay.tsx";

interface ReasonDialogProps {
  title: string;
  /** What it does, before one does it */
  effect: string;
  action: string;
  error?: string | undefined;
  isPending: boolean;
  submit: (reason: string) => void;
  close: () => void;
}

/** Asks for the reason that the owner will read. */
export function ReasonDialog({ title, effect, action, error, isPending, submit, close }: ReasonDialogProps) {
  const { builder, operator } = useStrings();
  const [reason, setReason] = useState("");
  return (
    <Overlay title={title} close={close}>
      <form
        className="builder"
        onSubmit={(event) => {
          event.preventDefault();
          submit(reason);
        }}
      >
        <p>{effect}</p>
        <Field
          label={operator.reason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={error}
          autoFocus
        />
        <footer>
          <button type="button" className="quiet" onClick={close}>
            {builder.cancel}
          </button>
          <button type="submit" disabled={isPending || reason.trim() === ""}>
            {action}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
