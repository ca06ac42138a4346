/** What workers and the main process say to each other. */
export const messages = {
  /** Worker: it listens. */
  ready: "ready",
  /** Worker: it is stopping, and takes no connections any more. */
  closed: "closed",
  /** Main process: nobody else is about to close, so clients may be sent away. */
  release: "release",
} as const;
