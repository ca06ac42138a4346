import { AppError } from "../../kernel/errors.ts";
import { hostOfDestination } from "./host-name.ts";
import type { Screening } from "./screening.types.ts";

export const blockedReason = (host: string) => `leads to ${host}, which is blocked as harmful`;

/** Refuses (400) URLs that lead to a blocked host, each given with the name of its input field. */
export async function refuseBlocked(
  screening: Pick<Screening, "firstBlocked">,
  urls: readonly (readonly [field: string, url: string])[],
): Promise<void> {
  const hosts = urls.map(([, url]) => hostOfDestination(url));
  const blocked = await screening.firstBlocked(hosts);
  if (blocked === null) return;
  const [field = "url"] = urls[hosts.indexOf(blocked)] ?? [];
  throw new AppError("BAD_REQUEST", `${field}: ${blockedReason(blocked)}`);
}
