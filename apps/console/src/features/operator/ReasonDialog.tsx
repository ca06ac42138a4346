import { useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { Form } from "../../kit/DialogForm.tsx";
import { Overlay } from "../../kit/Overlay.tsx";

interface ReasonFormProps {
  /** What it does, before one does it */
  effect: string;
  action: string;
  error?: string | undefined;
  isPending: boolean;
  submit: (reason: string) => void;
  close: () => void;
}

/** Asks for the reason that the owner will read. */
export function ReasonForm({ effect, action, error, isPending, submit, close }: ReasonFormProps) {
  const { operator } = useStrings();
  const [reason, setReason] = useState("");
  return (
    <Form
      action={action}
      submit={() => submit(reason)}
      cancel={close}
      isPending={isPending}
      isDisabled={reason.trim() === ""}
    >
      <p>{effect}</p>
      <Field label={operator.reason} value={reason} onChange={setReason} error={error} autoFocus />
    </Form>
  );
}

/** The same in a dialog of its own. */
export function ReasonDialog({ title, ...form }: ReasonFormProps & { title: string }) {
  return (
    <Overlay title={title} close={form.close}>
      <ReasonForm {...form} />
    </Overlay>
  );
}
