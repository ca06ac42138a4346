import { Link } from "@tanstack/react-router";
import type { Link as ShortLink } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { useLogoVersion } from "./logo-version.ts";
import { imageOf, lookOf, storedLook } from "./look.ts";

/** A link's QR code, which leads to its design. */
export function QrLink({ link }: { link: ShortLink }) {
  const { link: words } = useStrings();
  const look = lookOf(link);
  const logoVersion = useLogoVersion(look.logo);
  return (
    <Link
      to="/links/$id/qr"
      params={{ id: link.id }}
      search={storedLook(link)}
      className="qr"
      aria-label={words.design}
      title={words.design}
    >
      <img src={imageOf(link, look, logoVersion)} width="180" height="180" alt="" />
    </Link>
  );
}
