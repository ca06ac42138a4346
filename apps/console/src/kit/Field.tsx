import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps extends Omit<ComponentProps<"input">, "onChange"> {
  label: string;
  /** Called with the text */
  onChange?: (text: string) => void;
  /** What is wrong with the value */
  error?: string | undefined;
  hint?: ReactNode;
}

/** A labelled text field, with its error and hint beside it. */
export function Field({ label, onChange, error, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        onChange={({ target }) => onChange?.(target.value)}
        {...input}
      />
      {(error || hint) && (
        <p id={`${id}-note`} className={error ? "wrong" : "note"}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
