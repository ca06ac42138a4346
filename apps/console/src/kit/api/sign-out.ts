import { tell } from "./channel.ts";
import { forgetRecents } from "./recent.ts";
import { forgetWorkspace } from "./workspace.ts";

/** Ends the session on the server, then shows the sign-in page, in every tab. */
export async function signOut(): Promise<void> {
  await fetch("/auth/logout", { method: "POST" });
  forgetRecents();
  forgetWorkspace();
  tell({ kind: "signed-out" });
  location.assign("/");
}
