import { useEffect } from "react";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { stopAsking } from "./again.ts";
import { listen } from "./channel.ts";
import { Ways } from "./Ways.tsx";

/** Asks for a new sign-in, which happens in another tab. This one then goes on where it was. */
export function SignInAgain({ reason }: { reason: string }) {
  const { signIn } = useStrings();
  useEffect(
    () =>
      listen((news) => {
        if (news.kind !== "signed-in") return;
        stopAsking();
        say(signIn.goOn);
      }),
    [signIn],
  );
  return (
    <Overlay title={signIn.againTitle} close={stopAsking}>
      <div className="builder">
        <p>{reason}.</p>
        <p className="note">{signIn.againHint}</p>
        <Ways returnTo="/signed-in" elsewhere />
      </div>
    </Overlay>
  );
}
