import { useEffect, useEffectEvent, useState } from "react";
import { client } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { stopAsking } from "../../kit/api/again.ts";
import { listen, type News } from "../../kit/api/channel.ts";
import { Ways } from "./Ways.tsx";

/** The id of this browser's session; undefined if the service does not tell. */
const currentSession = async (): Promise<string | undefined> => {
  const sessions = await client.sessions.list.query().catch(() => []);
  return sessions.find(({ current }) => current)?.id;
};

/** Asks for a new sign-in, which happens in another tab. This one then goes on where it was. */
export function SignInAgain({ reason }: { reason: string }) {
  const { signIn } = useStrings();
  const [before, setBefore] = useState<string>();
  useEffect(() => void currentSession().then(setBefore), []);
  const onNews = useEffectEvent(async ({ kind }: News) => {
    // Every tab that opens says that it is signed in; a sign-in is a new session.
    if (kind !== "signed-in" || (await currentSession()) === before) return;
    stopAsking();
    say(signIn.goOn);
  });
  useEffect(() => listen((news) => void onNews(news)), []);
  return (
    <Overlay title={signIn.againTitle} close={stopAsking}>
      <div className="form">
        <p>{reason}.</p>
        <p className="note">{signIn.againHint}</p>
        <Ways returnTo="/signed-in" elsewhere isAgain />
      </div>
    </Overlay>
  );
}
