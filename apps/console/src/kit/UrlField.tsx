import { useStrings } from "../words/strings.tsx";
import { Field } from "./Field.tsx";
import { withScheme, correctedUrl } from "./format/url.ts";
import { TextButton } from "./Button.tsx";

interface UrlFieldProps {
  label: string;
  value: string;
  onChange: (url: string) => void;
  error?: string | undefined;
  autoFocus?: boolean;
  disabled?: boolean;
}

/** A URL: the scheme that people leave out is added, and a mistake in it is pointed out. Nothing is fetched. */
export function UrlField({ value, onChange, error, ...field }: UrlFieldProps) {
  const { builder } = useStrings();
  const corrected = correctedUrl(value);
  return (
    <>
      <Field
        {...field}
        value={value}
        onChange={onChange}
        onBlur={() => corrected === null && onChange(withScheme(value))}
        inputMode="url"
        placeholder="https://"
        isCode
        dir="ltr"
        error={corrected === null ? error : undefined}
      />
      {corrected !== null && (
        <p className="suggestion" role="status">
          {builder.meant} <b>{corrected}</b>{" "}
          <TextButton onClick={() => onChange(corrected)}>{builder.useIt}</TextButton>
        </p>
      )}
    </>
  );
}
