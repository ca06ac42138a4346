import { useCopy } from "./CopyButton.tsx";
import "./copied-text.css";

/** A text and the button that copies it. */
export function CopiedText({
  value,
  label,
  action,
  autoFocus = false,
}: {
  value: string;
  /** What was copied, as the message says it */
  label: string;
  /** The button's text */
  action: string;
  autoFocus?: boolean;
}) {
  const copy = useCopy();
  return (
    <div className="copied">
      <code>{value}</code>
      <button
        type="button"
        className="button secondary"
        autoFocus={autoFocus}
        onClick={() => void copy(value, label)}
      >
        {action}
      </button>
    </div>
  );
}
