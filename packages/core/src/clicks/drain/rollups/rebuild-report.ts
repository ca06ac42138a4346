export interface Rebuilding {
  /** Hears how many of the months are done, and which is looked at, as YYYY-MM; null at the end: the links' own counts */
  onProgress?: (progress: { done: number; total: number; month: string | null }) => void;
  /** Stops it between two tables; `rebuild` throws its reason */
  signal?: AbortSignal;
}

export interface RebuildReport {
  /** Months that were counted anew, as YYYY-MM */
  months: string[];
  /** Months of which a retention has dropped raw clicks: their rollups are kept */
  kept: string[];
  /** Raw clicks that were counted, bots included */
  clicks: number;
  /** Rows that were missing, too many or wrong, by table and month; all of them are repaired */
  differences: { month: string | null; table: string; rows: number }[];
  /** How many rows that were */
  repaired: number;
}
