import { tell } from "../session/channel.ts";

/** Ends the session on the server, then shows the sign-in page, in every tab. */
export async function signOut(): Promise<void> {
  await fetch("/auth/logout", { method: "POST" });
  tell({ kind: "signed-out" });
  location.assign("/");
}
