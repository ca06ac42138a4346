/** Plans from the smallest to the largest; each includes the ones before it. */
export const planNames = ["free", "pro", "enterprise"] as const;
export type Plan = (typeof planNames)[number];
