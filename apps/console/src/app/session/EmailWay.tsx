import { useId } from "react";
import { Button } from "../../kit/Button.tsx";
import { useStrings } from "../../words/strings.tsx";

/** Asks for a code by e-mail. The service's own pages follow, which work without scripts, and end at `returnTo`. */
export function EmailWay({ returnTo, elsewhere }: { returnTo: string; elsewhere: boolean }) {
  const { signIn } = useStrings();
  const id = useId();
  return (
    <form
      method="post"
      action="/auth/email"
      className="ways stack"
      {...(elsewhere && { target: "_blank", rel: "opener" })}
    >
      <input type="hidden" name="return_to" value={returnTo} />
      <label htmlFor={id}>{signIn.email}</label>
      <input
        id={id}
        className="input"
        name="email"
        type="email"
        autoComplete="username webauthn"
        maxLength={254}
        required
      />
      <Button type="submit">{signIn.sendCode}</Button>
    </form>
  );
}
