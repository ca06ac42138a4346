import { Link } from "@tanstack/react-router";
import { memo, type MouseEvent } from "react";
import { formatCount, formatDay, formatExact, partsOf } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { TagChips } from "./TagChips.tsx";
import { type Link as ShortLink, marksOf, shortName } from "../../kit/api/link.ts";
import { Sparkline } from "./Sparkline.tsx";

/** The time that a row shows: the one by which the list is sorted, else that of its creation. */
export type ShownTime = "created_at" | "updated_at" | "last_click_at";

interface LinkRowProps {
  /** Undefined while it is not loaded */
  link: ShortLink | undefined;
  /** The row's place in the list, from 0 */
  index: number;
  total: number;
  /** Distance from the top of the list, in pixels */
  top: number;
  /** In pixels; on narrow screens, a long name makes a row higher */
  height: number;
  /** Tells the list how high the row is */
  measure: (row: HTMLElement | null) => void;
  isSelected: boolean;
  shownTime: ShownTime;
  /** Whether several people make links here */
  showsMaker: boolean;
  /** The clicks of each of the last days */
  sparkline: readonly number[] | undefined;
  select: (link: ShortLink, index: number, isRange: boolean) => void;
}

/** One row of the list. The link in it covers the row; the checkbox and the copy button lie above it. */
export const LinkRow = memo(function LinkRow({
  link,
  index,
  total,
  top,
  height,
  measure,
  isSelected,
  shownTime,
  showsMaker,
  sparkline,
  select,
}: LinkRowProps) {
  const strings = useStrings();
  const place = {
    role: "listitem",
    "data-index": index,
    "aria-setsize": total,
    "aria-posinset": index + 1,
    ref: measure,
    style: { transform: `translateY(${top}px)`, minHeight: height },
  };
  if (!link) return <div {...place} className="row pending" aria-busy="true" />;
  const { host, rest } = partsOf(link.destination);
  const name = shortName(link);
  const time = link[shownTime];
  const onSelect = (event: MouseEvent<HTMLInputElement>) => {
    select(link, index, event.shiftKey);
    // After a click the keyboard continues from this row's link; a person at the keyboard stays on the checkbox.
    if (event.detail > 0)
      event.currentTarget
        .closest(".row")
        ?.querySelector<HTMLElement>(".cover")
        ?.focus({ preventScroll: true });
  };
  return (
    <div {...place} className="row" data-selected={isSelected || undefined}>
      <label className="pick">
        <input
          type="checkbox"
          aria-label={strings.linkList.select(name)}
          checked={isSelected}
          onClick={onSelect}
          onChange={ignore}
        />
      </label>
      <div className="names">
        <p className="ellipsis">
          <Link
            to="/links/$id"
            params={{ id: link.id }}
            className="cover"
            aria-label={name}
            onClick={(event) => {
              if (!event.shiftKey) return;
              event.preventDefault();
              select(link, index, true);
            }}
          >
            <span className="host">{link.domain}/</span>
            <span>{link.slug}</span>
          </Link>
          <CopyButton text={link.shortUrl} />
        </p>
        <p className="destination ellipsis" title={link.destination}>
          <b>{host}</b>
          {rest}
        </p>
      </div>
      <div className="about">
        <p className="ellipsis" dir="auto">
          {link.title}
        </p>
        <p className="marks ellipsis">
          <TagChips tags={link.tags} />
          {marksOf(link, strings).map(({ text, isOff }) => (
            <span key={text} className={isOff ? "off" : undefined}>
              {text}
            </span>
          ))}
          {showsMaker && link.created_by && (
            <span dir="auto">{strings.linkList.madeBy(link.created_by.name)}</span>
          )}
        </p>
      </div>
      <div className="sparkline-cell">{sparkline && <Sparkline clicks={sparkline} />}</div>
      <p className="number ellipsis">
        {formatCount(link.click_count)}
        <span className="unseen"> {strings.linkList.clicks(link.click_count)}</span>
      </p>
      {time === null ? (
        <span className="date">{strings.linkList.never}</span>
      ) : (
        <time className="date" dateTime={time} title={strings.linkList.times[shownTime](formatExact(time))}>
          {formatDay(time)}
        </time>
      )}
    </div>
  );
});

/** React wants a handler beside `checked`; the click decides. */
const ignore = () => {};
