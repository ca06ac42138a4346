import type { ReactNode } from "react";

/** Why something failed, which screen readers say at once; nothing without a reason. */
export function Wrong({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="wrong" role="alert">
      {children}
    </p>
  );
}
