import { forgetRecents } from "./recent.ts";

/** Ends the session on the server, then shows the sign-in page. */
export async function signOut(): Promise<void> {
  await fetch("/auth/logout", { method: "POST" });
  forgetRecents();
  location.assign("/");
}
