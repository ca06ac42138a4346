import { type RefObject, useEffect, useRef } from "react";

/**
 * Returns a function that gives the focus to an element inside `container` after the next render: the first selector
 * that finds one decides. For buttons that remove or move what they are part of.
 */
export function useFocusNext(container: RefObject<HTMLElement | null>): (...selectors: string[]) => void {
  const wanted = useRef<readonly string[]>([]);
  useEffect(() => {
    for (const selector of wanted.current) {
      const element = container.current?.querySelector<HTMLElement>(selector);
      if (!element) continue;
      element.focus();
      break;
    }
    wanted.current = [];
  });
  return (...selectors) => {
    wanted.current = selectors;
  };
}

/** After a call has failed, the first field in error gets the focus. */
export function useFocusWrong(form: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, error]);
}

/** Once the component is gone, gives the focus to the screen if nothing else has it. */
export function useScreenFocusAfter(): void {
  useEffect(
    () => () =>
      void requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.getElementById("content")?.focus();
      }),
    [],
  );
}
