import { type RefObject, useEffect } from "react";

/** After a call has failed, the first field in error gets the focus. */
export function useFocusWrong(form: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, error]);
}
