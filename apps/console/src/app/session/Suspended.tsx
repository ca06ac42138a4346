import { signOut } from "../../kit/api/sign-out.ts";
import { useStrings } from "../../words/strings.tsx";
import { ScreenTitle } from "../../kit/Screen.tsx";
import { Button } from "../../kit/Button.tsx";
import "./session.css";

/** The page for the owner of an account that the operator suspended. */
export function Suspended() {
  const strings = useStrings();
  const { suspended } = strings.signIn;
  return (
    <main className="card" id="content">
      <img src="/favicon.ico" width="36" height="36" alt="" />
      <ScreenTitle>{suspended.title}</ScreenTitle>
      <p>{suspended.meaning}</p>
      <p>{suspended.next}</p>
      <Button onClick={() => void signOut()}>{strings.frame.signOut}</Button>
    </main>
  );
}
