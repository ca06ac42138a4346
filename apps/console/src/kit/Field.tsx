import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps extends Omit<ComponentProps<"input">, "onChange"> {
  label: string;
  /** Whether it is for a name, an address or a code, in which nothing is to be completed or corrected */
  isCode?: boolean;
  /** Whether it is for the name of something, in which nothing is to be completed */
  isName?: boolean;
  /** Lines of a longer text */
  rows?: number;
  /** Called with the text */
  onChange?: (text: string) => void;
  /** What is wrong with the value */
  error?: string | undefined;
  hint?: ReactNode;
}

/** A labelled text field, with its error and hint beside it. */
export function Field({ label, isCode, isName, rows, onChange, error, hint, ...input }: FieldProps) {
  const id = useId();
  const props = {
    className: "input",
    id,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error || hint ? `${id}-note` : undefined,
    onChange: ({ target }: { target: { value: string } }) => onChange?.(target.value),
    ...(isCode && { autoComplete: "off", autoCapitalize: "none", spellCheck: false }),
    ...(isName && { autoComplete: "off", maxLength: 100 }),
    ...input,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? <input {...props} /> : <textarea rows={rows} {...(props as object)} />}
      {(error || hint) && (
        <p id={`${id}-note`} className={error ? "wrong" : "note"}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

/** Why something failed, which screen readers say at once; nothing without a reason. */
export function Wrong({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="wrong" role="alert">
      {children}
    </p>
  );
}
