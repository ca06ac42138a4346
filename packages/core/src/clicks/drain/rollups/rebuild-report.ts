export interface RebuildOptions {
  /** Called for each step with the number of finished months and the current one as YYYY-MM; null at the end */
  onProgress?: (progress: { done: number; total: number; month: string | null }) => void;
  /** Stops it between two tables; `rebuild` then throws the signal's reason */
  signal?: AbortSignal;
}

export interface RebuildReport {
  /** Months that were counted again, as YYYY-MM */
  months: string[];
  /** Months whose raw clicks were dropped by the retention: their rollups are kept */
  kept: string[];
  /** Raw clicks that were counted, including bots */
  clicks: number;
  /** Rows that were missing, wrong or should not exist, by table and month; all of them are repaired */
  differences: { month: string | null; table: string; rows: number }[];
  /** The number of those rows */
  repaired: number;
}
