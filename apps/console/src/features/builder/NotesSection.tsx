import { useId } from "react";
import { useStrings } from "../../words/strings.tsx";

interface NotesSectionProps {
  value: string;
  onChange: (notes: string) => void;
  error: string | undefined;
  autoFocus: boolean;
}

/** What the owner of a link writes about it for themselves. */
export function NotesSection({ value, onChange, error, autoFocus }: NotesSectionProps) {
  const { builder } = useStrings();
  const id = useId();
  return (
    <div className="field">
      <textarea
        className="input"
        rows={3}
        dir="auto"
        maxLength={2000}
        autoFocus={autoFocus}
        value={value}
        aria-label={builder.sections.notes}
        aria-invalid={error ? true : undefined}
        aria-describedby={id}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={id} className={error ? "wrong" : "note"}>
        {error ?? builder.notesHint}
      </p>
    </div>
  );
}
