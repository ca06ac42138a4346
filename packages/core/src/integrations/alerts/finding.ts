/** What an evaluation found. */
export interface Finding {
  /** Whether the condition holds */
  isOn: boolean;
  clicks: number;
  /** The mean of the same hour of the weeks before; null of silence */
  usual: number | null;
  /** The time that the clicks were counted in, in milliseconds since the epoch */
  window: { from: number; to: number };
}
