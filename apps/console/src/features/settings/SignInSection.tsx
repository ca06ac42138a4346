import { Identities } from "./Identities.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { Sessions } from "./Sessions.tsx";

/** How one signs in, and where one is signed in. */
export function SignInSection() {
  return (
    <>
      <Identities />
      <Passkeys />
      <Sessions />
    </>
  );
}
