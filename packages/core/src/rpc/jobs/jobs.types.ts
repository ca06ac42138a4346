/** Work in the background, done by the nodes that have started it. */
export interface Jobs {
  /** Does everything that is due; returns when nothing is. */
  run(): Promise<void>;
  /** Works whenever something is due until the core is closed. Safe on several nodes at once. */
  start(): void;
  close(): Promise<void>;
}
