import { CountryField, TimeField } from "../../kit/fields.ts";
import { useRef, useState } from "react";
import { countryName, formatMinute, formatShare } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { useFocusNext } from "../../kit/focus.ts";
import { VisitorFields } from "./VisitorFields.tsx";
import type { AssumedVisitor } from "./assumed.ts";
import { type Asked, type Explanation, type Group } from "./visits.ts";
import { placeOf } from "./place.ts";
import { Button, TextButton } from "../../kit/Button.tsx";
import "./preview.css";

interface EndsUpProps {
  groups: readonly Group[];
  /** Why there is no answer */
  problem: string | undefined;
  hasPassword: boolean;
  /** The host that most visitors end up on, which goes without saying */
  mainHost: string;
  asked: Asked;
  ask: (asked: Asked) => void;
}

/** Who ends up where, in sentences; the person can ask about more countries and times. */
export function EndsUp({ groups, problem, hasPassword, mainHost, asked, ask }: EndsUpProps) {
  const { builder } = useStrings();
  return (
    <section className="ends-up" aria-label={builder.endsUp}>
      <h3>{builder.endsUp}</h3>
      {problem && <p className="note">{problem}</p>}
      <div role="status">
        {groups.length > 0 && (
          <ul>
            {hasPassword && (
              <li>
                <span className="who">{builder.everybody}</span>
                <span className="where">{builder.asksPassword}</span>
              </li>
            )}
            {groups.map((group) => (
              <li key={JSON.stringify([group.at, group.countries, group.isRest])}>
                <Who group={group} isAlone={isAlone(group, groups)} />
                <Where answer={group.answer} mainHost={mainHost} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Questions asked={asked} ask={ask} />
    </section>
  );
}

/** True if nobody ends up elsewhere at that time. */
const isAlone = (group: Group, groups: readonly Group[]) =>
  groups.every((other) => other === group || other.at !== group.at);

function Who({ group, isAlone: alone }: { group: Group; isAlone: boolean }) {
  const { builder } = useStrings();
  const { at, countries, isRest, answer } = group;
  const names = [...countries.map(countryName), ...(isRest ? [builder.everybodyElse] : [])];
  const who = alone ? builder.everybody : builder.list(names);
  const said = answer.outcome === "gone" || answer.rule === "fallback" ? builder.from : builder.at;
  return <span className="who">{at === undefined ? who : said(formatMinute(at), who)}</span>;
}

function Where({ answer, mainHost }: { answer: Explanation; mainHost: string }) {
  const { builder, limits } = useStrings();
  if (answer.outcome === "not_found") return <span className="where off">{limits.notFound}</span>;
  if (answer.outcome === "gone") return <span className="where off">{builder.gone}</span>;
  const places = answer.variants ?? [{ url: answer.location ?? "", share: 1 }];
  return (
    <span className="where">
      {places.map(({ url, share }, at) => (
        <span key={at} title={url}>
          {at > 0 && " · "}
          {answer.variants && <b>{formatShare(share, 1)} </b>}
          {placeOf(url, mainHost)}
        </span>
      ))}
    </span>
  );
}

/** Fields that ask about one more country or time, and what was asked about. */
function Questions({ asked, ask }: { asked: Asked; ask: (asked: Asked) => void }) {
  const { builder, visitor } = useStrings();
  const [open, setOpen] = useState<"country" | "time" | "visitor" | null>(null);
  const questions = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(questions);
  const [time, setTime] = useState<string | null>(null);
  const answered = (next: Asked) => {
    focusNext(`[data-ask=${open}]`);
    setOpen(null);
    ask(next);
  };
  const stop = (next: Asked) => {
    focusNext("[data-ask=country]");
    ask(next);
  };
  const chips = [
    ...asked.countries.map((country) => ({
      name: countryName(country),
      remove: () => stop({ ...asked, countries: asked.countries.filter((each) => each !== country) }),
    })),
    ...Object.entries(asked.visitor).map(([field, value]) => ({
      name: `${visitor.fields[field as keyof AssumedVisitor]}: ${value}`,
      remove: () =>
        stop({
          ...asked,
          visitor: Object.fromEntries(Object.entries(asked.visitor).filter(([each]) => each !== field)),
        }),
    })),
    ...asked.times.map((at) => ({
      name: formatMinute(at),
      remove: () => stop({ ...asked, times: asked.times.filter((each) => each !== at) }),
    })),
  ];
  return (
    <div ref={questions} className="questions small line">
      {chips.map(({ name, remove }) => (
        <Button key={name} aria-label={builder.stopAsking(name)} onClick={remove}>
          {name} ✕
        </Button>
      ))}
      <TextButton
        data-ask="country"
        aria-expanded={open === "country"}
        onClick={() => setOpen(open === "country" ? null : "country")}
      >
        {builder.askCountry}
      </TextButton>
      <TextButton
        data-ask="time"
        aria-expanded={open === "time"}
        onClick={() => setOpen(open === "time" ? null : "time")}
      >
        {builder.askTime}
      </TextButton>
      <TextButton
        data-ask="visitor"
        aria-expanded={open === "visitor"}
        onClick={() => setOpen(open === "visitor" ? null : "visitor")}
      >
        {visitor.ask}
      </TextButton>
      {open === "visitor" && (
        <VisitorFields visitor={asked.visitor} onChange={(next) => ask({ ...asked, visitor: next })} />
      )}
      {open === "country" && (
        <CountryField
          label={builder.askedCountry}
          value={null}
          autoFocus
          onChange={(country) =>
            country !== null && answered({ ...asked, countries: [...new Set([...asked.countries, country])] })
          }
        />
      )}
      {open === "time" && (
        <div className="inline">
          <TimeField label={builder.askedTime} value={time} onChange={setTime} />
          <Button
            disabled={!time}
            onClick={() => time && answered({ ...asked, times: [...new Set([...asked.times, time])] })}
          >
            {builder.ask}
          </Button>
        </div>
      )}
    </div>
  );
}
