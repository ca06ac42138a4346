import { statusOf } from "../../kit/api/api.ts";

/** Options of questions that are asked while somebody types: one too many is asked again after a while. */
export const laterIfTooOften = {
  retry: (failures: number, error: unknown) => statusOf(error) === 429 && failures < 5,
  retryDelay: 5000,
};
