import type { ReactNode, Ref } from "react";
import { useStrings } from "../words/strings.tsx";
import { refusalOf } from "./api/api.ts";
import { Overlay } from "./Overlay.tsx";
import { Wrong } from "./Field.tsx";
import { Button, MainButton } from "./Button.tsx";

interface FormProps {
  /** The text of the button that submits it: what happens */
  action: string;
  submit: () => void;
  /** What submitting starts: whether it is under way, and why it was refused, as far as no field says it */
  work?: { isPending: boolean; error: unknown };
  isPending?: boolean;
  /** Whether it cannot be submitted yet */
  isDisabled?: boolean;
  isDanger?: boolean;
  /** Adds a button that leaves everything as it is */
  cancel?: (() => void) | undefined;
  /** Another button in the place of that one */
  other?: ReactNode;
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/** Fields, why they were refused, and the buttons below them. */
export function Form({
  action,
  submit,
  work,
  isPending = work?.isPending ?? false,
  isDisabled = false,
  isDanger = false,
  cancel,
  other,
  ref,
  children,
}: FormProps) {
  const { settings } = useStrings();
  return (
    <form
      ref={ref}
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      <Wrong>{work?.error instanceof Error && refusalOf(work.error)}</Wrong>
      <footer>
        {other}
        {cancel && <Button onClick={cancel}>{settings.cancel}</Button>}
        <MainButton type="submit" isDanger={isDanger} isAtWork={isPending} disabled={isDisabled}>
          {action}
        </MainButton>
      </footer>
    </form>
  );
}

interface DialogFormProps extends Omit<FormProps, "action" | "cancel"> {
  title: string;
  /** If it is not the title */
  action?: string;
  close: () => void;
}

/** The same in a dialog, which `close` ends: so does its button, unless there is another one in its place. */
export function DialogForm({ title, action = title, close, ...form }: DialogFormProps) {
  return (
    <Overlay title={title} close={close}>
      <Form action={action} cancel={form.other ? undefined : close} {...form} />
    </Overlay>
  );
}
