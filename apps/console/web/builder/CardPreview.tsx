import { partsOf } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";

interface CardPreviewProps {
  title: string;
  /** Null if it is not a URL yet */
  destination: string | null;
  /** The short URL without its scheme */
  shortName: string;
  hasPassword: boolean;
}

/** What people see of a link before they follow it, and where they see it. */
export function CardPreview({ title, destination, shortName, hasPassword }: CardPreviewProps) {
  const { builder } = useStrings();
  const { host, rest } = destination === null ? { host: "", rest: "" } : partsOf(destination);
  return (
    <section className="card-preview">
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
