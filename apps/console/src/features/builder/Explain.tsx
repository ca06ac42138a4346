import { TimeField } from "../../kit/fields.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../kit/api/api.ts";
import { VisitorFields } from "./VisitorFields.tsx";
import { visitBy } from "./agents.ts";
import type { AssumedVisitor } from "./assumed.ts";
import { countryName, countryNames, formatShare, viewerZone } from "../../kit/format/format.ts";
import type { Link } from "../../kit/api/link.ts";
import { without } from "../../kit/without.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { stepOf } from "../../kit/sentences.ts";
import { localIn, momentIn } from "../../kit/format/zone.ts";
import { Select } from "../../kit/Choices.tsx";

const route = getRouteApi("/links/$id");

/** What a visitor from a country would get, now or at another time, as the service itself decides it. */
export function Explain({ link }: { link: Link }) {
  const strings = useStrings();
  const { link: words, limits } = strings;
  const { visitor, at, assumed = {} } = route.useSearch();
  const [isOpen, setOpen] = useState(
    visitor !== undefined || at !== undefined || Object.keys(assumed).length > 0,
  );
  /** As it is typed, which the address follows */
  const [typed, setTyped] = useState(() => (at === undefined ? null : momentIn(viewerZone, at)));
  const navigate = route.useNavigate();
  const ask = (country: string | undefined, time: string | undefined, rest: AssumedVisitor = assumed) =>
    void navigate({
      search: (before) => ({
        ...without(before, "visitor", "at", "assumed"),
        ...(country && { visitor: country }),
        ...(time && { at: time }),
        ...(Object.keys(rest).length > 0 && { assumed: rest }),
      }),
      replace: true,
      resetScroll: false,
    });
  const answer = useQuery(
    api.links.explain.queryOptions(
      {
        id: link.id,
        ...(visitor && { country: visitor }),
        ...(at && { at: momentIn(viewerZone, at) }),
        ...visitBy(assumed),
        unlocked: true,
      },
      { placeholderData: keepPreviousData, enabled: isOpen },
    ),
  );
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.explain}</summary>
      <div className="asked stack">
        <Select
          aria-label={words.country}
          value={visitor ?? ""}
          values={["", ...countryNames().map(([code]) => code)]}
          textOf={(code) => (code === "" ? words.anyCountry : countryName(code))}
          onChange={(country) => ask(country, at)}
        />
        {isOpen && (
          <TimeField
            label={words.at}
            value={typed}
            onChange={(next) => {
              setTyped(next);
              if (next !== "") ask(visitor, next === null ? undefined : localIn(viewerZone, next));
            }}
          />
        )}
        {(link.rules.length > 0 || link.forward_query !== "none" || at !== undefined) && (
          <VisitorFields visitor={assumed} onChange={(rest) => ask(visitor, at, rest)} />
        )}
      </div>
      {answer.error && !answer.data && <Problem error={answer.error} retry={() => void answer.refetch()} />}
      {answer.data && (
        <div role="status" className="answer">
          {link.has_password && answer.data.outcome === "redirect" && answer.data.rule !== "fallback" && (
            <p>{words.afterPassword}</p>
          )}
          {answer.data.outcome === "not_found" && <p>{limits.notFound}</p>}
          {answer.data.outcome === "gone" && <p>{words.outcomes.gone}</p>}
          {answer.data.outcome === "password" && <p>{words.outcomes.password}</p>}
          {answer.data.location && <p>→&nbsp;{answer.data.location}</p>}
          {answer.data.variants?.map(({ url, share }) => (
            <p key={url}>
              {formatShare(share, 1)} →&nbsp;{url}
            </p>
          ))}
          <ul className="note">
            {answer.data.steps.map((step, place) => (
              <li key={place}>{stepOf(step, answer.data.reasons[place] ?? "", strings)}</li>
            ))}
          </ul>
        </div>
      )}
    </details>
  );
}
