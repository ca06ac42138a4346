import { Link } from "@tanstack/react-router";
import { formatCount, formatDay, formatExact, partsOf } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { type Link as ShortLink, marksOf, shortName } from "./link.ts";

interface LinkRowProps {
  link: ShortLink;
  /** Distance from the top of the list, in pixels */
  top: number;
  height: number;
}

/** One row of the list. The link in it covers the row; the copy button lies above it. */
export function LinkRow({ link, top, height }: LinkRowProps) {
  const strings = useStrings();
  const { host, rest } = partsOf(link.destination);
  return (
    <div role="listitem" className="row" style={{ transform: `translateY(${top}px)`, height }}>
      <div className="names">
        <p>
          <Link to="/links/$id" params={{ id: link.id }} className="cover">
            {shortName(link)}
          </Link>
          <CopyButton text={link.shortUrl} />
        </p>
        <p className="destination" title={link.destination}>
          <b>{host}</b>
          {rest}
        </p>
      </div>
      <div className="about">
        <p dir="auto">{link.title}</p>
        <p className="marks">
          {marksOf(link, strings).map(({ text, isOff }) => (
            <span key={text} className={isOff ? "off" : undefined}>
              {text}
            </span>
          ))}
        </p>
      </div>
      <p className="number" aria-label={`${strings.links.clicks}: ${formatCount(link.click_count)}`}>
        {formatCount(link.click_count)}
      </p>
      <time className="date" dateTime={link.created_at} title={formatExact(link.created_at)}>
        {formatDay(link.created_at)}
      </time>
    </div>
  );
}
