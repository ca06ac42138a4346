import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";

/**
 * Tells the account's logo from others before it, for the addresses of images: a browser shows an image of the same address
 * again without asking. Empty while it is not known, or if codes do not have the logo.
 */
export function useLogoVersion(isUsed: boolean): string {
  const { data } = useQuery({ ...api.links.qrLogo.queryOptions({}), enabled: isUsed });
  // The end of a PNG has the checksum of its pixels.
  return (isUsed && data?.logo?.png.slice(-24)) || "";
}
