import type { ReactNode } from "react";
import "./section.css";

interface SectionProps {
  title: string;
  /** What it is for, in a sentence */
  lead?: ReactNode;
  /** What one can do with all of it, beside the title */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of the settings under its heading. */
export function Section({ title, lead, action, children }: SectionProps) {
  return (
    <section>
      <header>
        <h2>{title}</h2>
        {action}
      </header>
      {lead && <p className="soft">{lead}</p>}
      {children}
    </section>
  );
}
