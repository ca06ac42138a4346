import { useCopy } from "./CopyButton.tsx";
import { Button } from "./Button.tsx";
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
    <div className="copied stack">
      <code>{value}</code>
      <Button autoFocus={autoFocus} onClick={() => void copy(value, label)}>
        {action}
      </Button>
    </div>
  );
}
