import { useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { Button } from "../../kit/Button.tsx";

interface PasswordSectionProps {
  value: string;
  onChange: (password: string) => void;
  /** True if the link has a password already */
  isSet: boolean;
  error: string | undefined;
  isDisabled: boolean;
  autoFocus: boolean;
}

/** Sets a password, or replaces the one that is set; nobody can read that one. */
export function PasswordSection({
  value,
  onChange,
  isSet,
  error,
  isDisabled,
  autoFocus,
}: PasswordSectionProps) {
  const { builder } = useStrings();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="secret">
      <Field
        label={builder.password}
        type={isShown ? "text" : "password"}
        value={value}
        onChange={onChange}
        autoComplete="new-password"
        spellCheck={false}
        disabled={isDisabled}
        autoFocus={autoFocus}
        error={error}
        hint={isSet ? builder.passwordSet : builder.passwordHint}
      />
      <Button disabled={isDisabled} aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
        {builder.show}
      </Button>
    </div>
  );
}
