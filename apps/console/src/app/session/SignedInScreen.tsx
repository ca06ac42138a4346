import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useStrings } from "../../words/strings.tsx";
import { ScreenTitle } from "../../kit/Screen.tsx";

/** Where a sign-in in another tab ends. It closes if the browser lets it; the first tab goes on by itself. */
export function SignedInScreen() {
  const { signIn } = useStrings();
  useEffect(() => {
    if (window.opener !== null) window.close();
  }, []);
  return (
    <div className="empty">
      <ScreenTitle>{signIn.doneTitle}</ScreenTitle>
      <p>{signIn.done}</p>
      <Link to="/">{signIn.doneHere}</Link>
    </div>
  );
}
