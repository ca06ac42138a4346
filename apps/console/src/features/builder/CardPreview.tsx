import { partsOf } from "../../kit/format/format.ts";
import type { Draft } from "./draft.ts";
import { useStrings } from "../../words/strings.tsx";
import { withScheme } from "../../kit/format/url.ts";

interface CardPreviewProps {
  title: string;
  /** Null if it is not a URL yet */
  destination: string | null;
  /** The short URL without its scheme */
  shortName: string;
  hasPassword: boolean;
  /** What chats show of the link; all empty if it has no preview of its own */
  preview: Draft["preview"];
}

/** What people see of a link before they follow it, and where they see it. */
export function CardPreview({ title, destination, shortName, hasPassword, preview }: CardPreviewProps) {
  const { builder } = useStrings();
  const isOwn = Object.values(preview).some((text) => text.trim() !== "");
  const { host, rest } = destination === null ? { host: "", rest: "" } : partsOf(destination);
  return (
    <section className="card-preview">
      {isOwn && <ChatCard {...preview} shortName={shortName} />}
      <h3>{builder.card}</h3>
      <div className="card-sheet">
        <p className="soft">{shortName}+</p>
        {hasPassword ? (
          <p>{builder.cardLocked}</p>
        ) : (
          <>
            {title && (
              <p className="card-title" dir="auto">
                {title}
              </p>
            )}
            <p className="card-destination" dir="ltr">
              <b>{host}</b>
              {rest}
            </p>
          </>
        )}
      </div>
      <p className="note">{hasPassword ? builder.cardLockedHint : builder.cardHint}</p>
    </section>
  );
}

/** A link in a chat, as most of them draw it. */
function ChatCard({ title, description, image, shortName }: Draft["preview"] & { shortName: string }) {
  const { linkPreview: words } = useStrings();
  const address = URL.parse(withScheme(image));
  return (
    <>
      <h3>{words.card}</h3>
      <div className="chat-card">
        <p className="chat-image">
          {address ? words.imageAt(address.host + address.pathname) : words.imageNone}
        </p>
        <p className="soft">{shortName.split("/", 1)}</p>
        <p className="card-title" dir="auto">
          {title.trim() || shortName}
        </p>
        {description.trim() && <p dir="auto">{description}</p>}
      </div>
      <p className="note">{words.cardHint}</p>
    </>
  );
}
