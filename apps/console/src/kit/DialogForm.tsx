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
  isPending?: boolean;
  /** Whether it cannot be submitted yet */
  isDisabled?: boolean;
  isDanger?: boolean;
  /** Why it was refused, as far as no field says it */
  error?: unknown;
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
  isPending = false,
  isDisabled = false,
  isDanger = false,
  error,
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
      <Wrong>{error instanceof Error && refusalOf(error)}</Wrong>
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

/** The same in a dialog, which `close` ends. */
export function DialogForm({ title, close, ...form }: FormProps & { title: string; close: () => void }) {
  return (
    <Overlay title={title} close={close}>
      <Form {...form} />
    </Overlay>
  );
}
