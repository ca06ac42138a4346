/** The live streams of this process. */
export interface LiveStreams {
  /** Ends all streams and opens no more; for before the end of the listener, which would wait for them. */
  end(): void;
}
