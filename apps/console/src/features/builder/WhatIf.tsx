import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../kit/api/api.ts";
import { formatCount, formatMinute, viewerZone } from "../../kit/format/format.ts";
import type { Link } from "../../kit/api/link.ts";
import { valueName } from "../analytics/names.ts";
import { useStrings } from "../../words/strings.tsx";
import { useSettled } from "../../kit/use-settled.ts";
import { type Draft, draftOf, fieldsOf } from "./draft.ts";
import { placeOf } from "./place.ts";
import { laterIfTooOften } from "./later.ts";
import { TextButton } from "../../kit/Button.tsx";

type Question = Parameters<typeof client.analytics.whatIf.mutate>[0];
type Answer = Awaited<ReturnType<typeof client.analytics.whatIf.mutate>>;

/** More destinations than this are not drawn. */
const maxDrawn = 8;

interface WhatIfProps {
  draft: Draft;
  link: Link;
  /** The host that goes without saying */
  mainHost: string;
}

/** Where the clicks of the last 30 days would have gone with the draft, compared with the link as it is; while it is asked for. */
export function WhatIf({ draft, link, mainHost }: WhatIfProps) {
  const { whatIf } = useStrings();
  const [isAsked, setAsked] = useState(false);
  const question = useSettled(JSON.stringify(questionOf(draft, link)), 300);
  const answer = useQuery({
    queryKey: ["draft", "what-if", question],
    queryFn: () => client.analytics.whatIf.mutate(JSON.parse(question) as Question),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    ...laterIfTooOften,
  });
  const error = answer.error as Error | null;
  return (
    <section className="what-if" aria-label={whatIf.title}>
      <h3>{whatIf.title}</h3>
      <TextButton aria-pressed={isAsked} onClick={() => setAsked(!isAsked)}>
        {whatIf.ask}
      </TextButton>
      <div role="status">
        {isAsked && error && <p className="note">{error.message}</p>}
        {isAsked && !error && answer.data && <Moves answer={answer.data} mainHost={mainHost} />}
      </div>
    </section>
  );
}

/** What differs from the link. */
function questionOf(draft: Draft, link: Link): Question {
  const [before, after] = [fieldsOf(draftOf(link, ""), link), fieldsOf(draft, link)];
  const isSame = (field: keyof typeof after) =>
    JSON.stringify(before[field]) === JSON.stringify(after[field]);
  return {
    id: link.id,
    period: "30d",
    tz: viewerZone,
    draft: {
      ...(!isSame("url") && { destination: after.url }),
      ...(!isSame("rules") && { rules: after.rules }),
      ...(!isSame("geo_rules") && { geo_rules: after.geo_rules }),
      ...(!isSame("ab_test") && { ab_test: after.ab_test }),
    },
  };
}

function Moves({ answer, mainHost }: { answer: Answer; mainHost: string }) {
  const { whatIf } = useStrings();
  const { clicks, moved, unknown, destinations, examples } = answer;
  if (clicks === 0) return <p className="note">{whatIf.noClicks}</p>;
  const most = Math.max(...destinations.flatMap(({ before, after }) => [before, after]));
  return (
    <>
      <p>{whatIf.moved(moved, clicks)}</p>
      <ul>
        {destinations.slice(0, maxDrawn).map(({ url, before, after }) => (
          <li key={url}>
            <span className="where ellipsis" title={url} dir="ltr">
              {placeOf(url, mainHost)}
            </span>
            <span className="soft">{whatIf.counts(formatCount(before), formatCount(after))}</span>
            <Bars before={before / most} after={after / most} />
          </li>
        ))}
      </ul>
      {destinations.length > maxDrawn && (
        <p className="note">{whatIf.more(destinations.length - maxDrawn)}</p>
      )}
      {unknown > 0 && <p className="note">{whatIf.unknown(unknown)}</p>}
      {examples.length > 0 && (
        <details>
          <summary>{whatIf.examples}</summary>
          <ul>
            {examples.map((example) => (
              <Example key={JSON.stringify(example)} example={example} mainHost={mainHost} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const decisive = ["country", "device", "os", "browser", "referrer"] as const;

/** A kind of click: what decides about it and when one was counted, how many there were, and where they go. */
function Example({ example, mainHost }: { example: Answer["examples"][number]; mainHost: string }) {
  const strings = useStrings();
  const { at, clicks, before, after } = example;
  const known = decisive.flatMap((name) => {
    const value = example[name];
    return value === null ? [] : [valueName(name, value, strings)];
  });
  const end = (url: string | null) =>
    url === null ? strings.whatIf.unknownDestination : placeOf(url, mainHost);
  return (
    <li>
      <span>{[...known, formatMinute(at)].join(" · ")}</span>
      <span className="soft">{formatCount(clicks)}</span>
      <span className="ends">{strings.whatIf.counts(end(before), end(after))}</span>
    </li>
  );
}

/** Two bars, one below the other; the numbers are beside them as text. */
const Bars = ({ before, after }: { before: number; after: number }) => (
  <svg width="100%" height="14" aria-hidden="true">
    <rect className="before" width={`${before * 100}%`} height="6" rx="2" />
    <rect className="after" y="8" width={`${after * 100}%`} height="6" rx="2" />
  </svg>
);
