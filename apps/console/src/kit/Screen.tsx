import { type ReactNode, useEffect } from "react";

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

interface ScreenHeaderProps {
  title: string | undefined;
  tab?: string | undefined;
  /** What one can do on the screen, beside its title */
  children?: ReactNode;
}

/** The top of a screen. */
export const ScreenHeader = ({ title, tab, children }: ScreenHeaderProps) => (
  <header className="screen-header">
    <ScreenTitle tab={tab}>{title}</ScreenTitle>
    {children}
  </header>
);

/** Stands where there is nothing to show, and says why. */
export const Empty = ({ title, hint, children }: { title: string; hint: string; children?: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    <p>{hint}</p>
    {children}
  </div>
);
