/** The delivery of events to webhooks. */
export interface Webhooks {
  /** Delivers what is due now and waits for it; returns the number of attempts. */
  deliverDue(): Promise<number>;
  /** Delivers until the core is closed. */
  start(): void;
  /** Stops; deliveries that are under way are made again by another node, or after the next start. */
  close(): Promise<void>;
}
