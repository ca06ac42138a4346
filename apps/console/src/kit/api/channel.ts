/** What the tabs of this browser tell each other. */
export type News =
  /** Something was created, changed or deleted */
  | { kind: "changed" }
  /** A tab shows this account; it may have signed in just now */
  | { kind: "signed-in"; account: string }
  /** Somebody signed out here, or deleted the account */
  | { kind: "signed-out" };

const channel = new BroadcastChannel("terse");

/** Tells all other tabs; not this one. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
export const tell = (news: News): void => channel.postMessage(news);

/** Calls `listener` with what other tabs tell; returns how to end that. */
export function listen(listener: (news: News) => void): () => void {
  const receive = (event: MessageEvent<News>) => listener(event.data);
  channel.addEventListener("message", receive);
  return () => channel.removeEventListener("message", receive);
}
