import { useEffect } from "react";
import { formatExact } from "../../kit/format/format.ts";
import { forgetRecents } from "../../kit/api/recent.ts";
import { languageCodes, nameOfLanguage, shownLanguage } from "../../words/language.ts";
import { storeLanguage, useStrings } from "../../words/strings.tsx";
import { leaving } from "../../kit/api/leaving.ts";
import { hasTyped } from "./typed.ts";
import { keepWanted } from "./wanted.ts";
import { Ways } from "./Ways.tsx";
import { ScreenTitle } from "../../kit/Screen.tsx";
import { TextButton } from "../../kit/Button.tsx";
import "./session.css";

/**
 * The page for visitors, and for people whose session has ended. After signing in, it leads to the address that was asked
 * for. With `isInterrupted`, the screen before is still there, hidden.
 */
export function SignIn({ isInterrupted }: { isInterrupted: boolean }) {
  const { signIn } = useStrings();
  const keeps = isInterrupted && hasTyped();
  const deletesAt = leaving();
  useEffect(keepWanted, []);
  useEffect(forgetRecents, []);
  return (
    <main className="card" id="content">
      <img src="/favicon.ico" width="36" height="36" alt="" />
      <ScreenTitle>
        {deletesAt ? signIn.deletedTitle : isInterrupted ? signIn.endedTitle : signIn.title}
      </ScreenTitle>
      {deletesAt ? (
        <>
          <p>{signIn.deleted(formatExact(deletesAt))}</p>
          <p>{signIn.deletedBack}</p>
        </>
      ) : (
        <p className="lead">{keeps ? signIn.kept : isInterrupted ? signIn.ended : signIn.lead}</p>
      )}
      <Ways returnTo={location.pathname + location.search} elsewhere={keeps} />
      <p>
        <a href="/docs">{signIn.documentation}</a>
      </p>
      <Languages />
    </main>
  );
}

/** Every language under its own name, for people who have not signed in yet. */
function Languages() {
  const { settings } = useStrings();
  return (
    <nav className="languages line" aria-label={settings.language}>
      {languageCodes.map((code) => (
        <TextButton
          key={code}
          lang={code}
          aria-current={code === shownLanguage() || undefined}
          onClick={() => storeLanguage(code)}
        >
          {nameOfLanguage(code)}
        </TextButton>
      ))}
    </nav>
  );
}
