/** Ends the session on the server, then shows the sign-in page. */
export async function signOut(): Promise<void> {
  await fetch("/auth/logout", { method: "POST" });
  location.assign("/");
}
