/** The windows of reports, by their length. */
export const periods = ["24h", "7d", "30d", "90d", "1y", "all"] as const;
export type Period = (typeof periods)[number];

/** Lengths of the rows of a window. */
export const granularities = ["hour", "day", "week", "month"] as const;
export type Granularity = (typeof granularities)[number];
