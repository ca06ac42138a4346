import { create } from "qrcode";
import type { Link } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";

/** The quiet zone that ISO/IEC 18004 asks for, in modules */
const margin = 4;

interface QrPreviewProps {
  shortUrl: string;
  isSample: boolean;
  /** The look that is kept with the link; of it, the colours are shown */
  look: Link["qr"];
}

/** The QR code of a short URL; pale while its slug is still to be drawn. */
export function QrPreview({ shortUrl, isSample, look }: QrPreviewProps) {
  const { builder } = useStrings();
  const { modules } = create(shortUrl, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * margin;
  let path = "";
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++)
      if (modules.get(y, x)) path += `M${x + margin} ${y + margin}h1v1h-1z`;
  return (
    <section className="qr-preview">
      <h3>{builder.qr}</h3>
      <svg
        viewBox={`0 0 ${side} ${side}`}
        width="132"
        height="132"
        shapeRendering="crispEdges"
        {...(isSample ? { "aria-hidden": true } : { role: "img", "aria-label": builder.qrOf(shortUrl) })}
      >
        <path fill={look?.background ?? "#fff"} d={`M0 0h${side}v${side}H0z`} />
        <path fill={isSample ? "#ccc" : (look?.color ?? "#000")} d={path} />
      </svg>
      <p className="note">{isSample ? builder.qrSample : shortUrl.replace(/^https?:\/\//, "")}</p>
    </section>
  );
}
