/** The periods of a report, as the API names them. */
export const periods = ["24h", "7d", "30d", "90d", "1y", "all"] as const;
export type Period = (typeof periods)[number];
