import type { ReactNode } from "react";
import { useStrings } from "../words/strings.tsx";

interface PagerProps {
  label: string;
  /** From 1 */
  page: number;
  pages: number;
  /** A link or a button to a page */
  children: (page: number, text: string) => ReactNode;
}

/** Leads to newer and older pages of a list; nothing if it has only one. */
export function Pager({ label, page, pages, children }: PagerProps) {
  const { settings } = useStrings();
  if (pages <= 1) return null;
  return (
    <nav className="pager" aria-label={label}>
      {page > 1 && children(page - 1, settings.newer)}
      <span className="note">{settings.pageOf(page, pages)}</span>
      {page < pages && children(page + 1, settings.older)}
    </nav>
  );
}
