import { useEffect } from "react";

interface ScreenTitleProps {
  children: string | undefined;
  /** What the tab says instead, if that is more */
  tab?: string | undefined;
}

/** The heading of a screen, which is also the name of the tab. */
export function ScreenTitle({ children = "", tab = children }: ScreenTitleProps) {
  useEffect(() => {
    document.title = `${tab} – Terse`;
  }, [tab]);
  return <h1>{children}</h1>;
}
