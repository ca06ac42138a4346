import { useEffect } from "react";

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
