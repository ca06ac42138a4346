import type { ReactNode, Ref } from "react";
import { useStrings } from "../words/strings.tsx";
import { refusalOf } from "./api/api.ts";
import { Overlay } from "./Overlay.tsx";
import { WorkButton } from "./WorkButton.tsx";
import { Wrong } from "./Wrong.tsx";

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
export function Form({ action, submit, error, cancel, other, ref, children, ...button }: FormProps) {
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
        {cancel && (
          <button type="button" className="button secondary" onClick={cancel}>
            {settings.cancel}
          </button>
        )}
        <WorkButton
          type="submit"
          className={button.isDanger ? "button danger" : "button"}
          isAtWork={button.isPending ?? false}
          disabled={button.isDisabled}
        >
          {action}
        </WorkButton>
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
