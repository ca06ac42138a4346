import { useQuery } from "@tanstack/react-query";
import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../kit/api/api.ts";
import { useTeam } from "../../kit/api/members.ts";
import { inWords } from "../builder/rules/words.ts";
import {
  countryName,
  formatAgo,
  formatCount,
  formatDay,
  formatExact,
  formatShare,
} from "../../kit/format/format.ts";
import { LinkHistory } from "../history/LinkHistory.tsx";
import type { Link } from "../../kit/api/link.ts";
import { QrLink } from "../qr/QrLink.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Explain } from "../builder/Explain.tsx";
import { stateOf } from "./state.ts";

/** What a link is: its QR code, state, rules in words, and history. */
export function Facts({ link, children }: { link: Link; children: ReactNode }) {
  const { link: words, builder, linkPreview: chats, tags } = useStrings();
  return (
    <aside className="facts" aria-label={words.facts}>
      <QrLink link={link} />
      <State link={link} />
      <dl>
        {link.title && (
          <Fact name={builder.title}>
            <span dir="auto">{link.title}</span>
          </Fact>
        )}
        {link.tags.length > 0 && (
          <Fact name={tags.title}>
            <span className="tag-facts line">
              {link.tags.map((tag) => (
                <RouterLink
                  key={tag}
                  to="/"
                  search={{ tag: [tag] }}
                  className="tag-chip"
                  aria-label={tags.filterBy(tag)}
                  dir="auto"
                >
                  {tag}
                </RouterLink>
              ))}
            </span>
          </Fact>
        )}
        <Maker link={link} />
        {link.notes && (
          <Fact name={builder.sections.notes}>
            <span className="notes-fact" dir="auto">
              {link.notes}
            </span>
          </Fact>
        )}
        <Destinations link={link} />
        <Forwarding link={link} />
        {link.preview && (
          <Fact name={chats.fact}>
            {[link.preview.title, link.preview.description].map(
              (text) =>
                text && (
                  <p key={text} dir="auto">
                    {text}
                  </p>
                ),
            )}
            {link.preview.image && <Url url={link.preview.image} />}
          </Fact>
        )}
        {link.health && <Health health={link.health} />}
        <Limits link={link} />
        {link.has_password && <Fact name={builder.sections.password}>{words.asksPassword}</Fact>}
        {link.expires_at && (
          <Fact name={builder.expires}>
            <time dateTime={link.expires_at} title={formatExact(link.expires_at)}>
              {formatDay(link.expires_at)}, {formatAgo(link.expires_at)}
            </time>
          </Fact>
        )}
        {link.imported_clicks > 0 && (
          <Fact name={words.clicksBefore}>{words.notInReports(formatCount(link.imported_clicks))}</Fact>
        )}
      </dl>
      {children}
      <Explain link={link} />
      <LinkHistory id={link.id} link={link} />
    </aside>
  );
}

/** Who made it, where several people share the links. */
function Maker({ link: { created_by: maker } }: { link: Link }) {
  const { linkList: words } = useStrings();
  if (useTeam().length === 0 || maker === null) return null;
  return (
    <Fact name={words.makerFact}>
      <RouterLink to="/" search={{ by: maker.id }} dir="auto">
        {maker.name}
      </RouterLink>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The states in which visitors are sent to the fallback URL. */
const hasFallback: ReadonlySet<string> = new Set(["inactive", "scheduled", "expired", "used_up"]);

/** Why visitors are not redirected, and what to do about it; nothing while they are. */
function State({ link }: { link: Link }) {
  const { link: words, limits } = useStrings();
  // Only the service knows which hosts it blocks.
  const now = useQuery(api.links.explain.queryOptions({ id: link.id, unlocked: true }));
  const state = stateOf(link, now.data?.rule === "blocked");
  if (state === "active") return null;
  const gone = state === "scheduled" ? limits.seesNothing : words.gone;
  return (
    <div className="state">
      <p>
        <b>{words.states[state].what}</b> {state === "disabled" && link.disabled_reason}
      </p>
      <p>{link.fallback_url !== null && hasFallback.has(state) ? limits.instead : gone}</p>
      <p>{words.states[state].next(link.id)}</p>
    </div>
  );
}

/** The rules in words, in the order in which they decide. */
function Destinations({ link }: { link: Link }) {
  const strings = useStrings();
  const { link: words } = strings;
  const { rules: conditional, geo_rules: rules, ab_test: test } = link;
  const total = test?.variants.reduce((sum, { weight }) => sum + weight, 0) ?? 0;
  const others = conditional.length > 0 ? words.otherwise : words.destination;
  const rest = rules.length > 0 ? words.elsewhere : others;
  return (
    <>
      {conditional.map(({ when, url, name }, at) => (
        <Fact key={at} name={name ?? strings.rules.number(at + 1)}>
          <span className="rule-words">{inWords(when, strings)}</span>
          <Url url={url} />
        </Fact>
      ))}
      {rules.map(({ country, url }) => (
        <Fact key={country} name={words.from(countryName(country))}>
          <Url url={url} />
        </Fact>
      ))}
      {test ? (
        <Fact name={rest}>
          <ul>
            {test.variants.map(({ url, weight }) => (
              <li key={url}>
                <b>{formatShare(weight, total)}</b> <Url url={url} />
              </li>
            ))}
          </ul>
        </Fact>
      ) : (
        <Fact name={rest}>
          <Url url={link.destination} />
        </Fact>
      )}
    </>
  );
}

/** What the link passes on of a visit, and its status if that is not the usual one. */
function Forwarding({ link }: { link: Link }) {
  const { forwarding: words, builder } = useStrings();
  const { redirect_status: status, forward_query: query, forward_path: path } = link;
  const parts = [...(path ? [words.shown.path] : []), ...(query === "none" ? [] : [words.shown[query]])];
  return (
    <>
      {parts.length > 0 && <Fact name={words.passesOn}>{builder.list(parts)}</Fact>}
      {status !== 302 && (
        <Fact name={words.redirects}>
          {status}: {words.statuses[status]}
        </Fact>
      )}
    </>
  );
}

/** What the last check of the destination found. */
function Health({ health: { status, checked_at, since } }: { health: NonNullable<Link["health"]> }) {
  const { link: words } = useStrings();
  const isBad = status === "broken" || status === "unreachable";
  return (
    <Fact name={words.health}>
      <span className={isBad ? "off" : undefined}>{words.healths[status]}</span>
      <p className="note">
        <span title={formatExact(checked_at)}>{words.checked(formatAgo(checked_at))}</span>
        {isBad && <>, {words.healthSince(formatDay(since))}</>}. {words.uncheckedTag}
      </p>
    </Fact>
  );
}

/** When it begins, how many of its clicks are used, and where visitors are sent while it does not work. */
function Limits({ link }: { link: Link }) {
  const { limits: words } = useStrings();
  const {
    starts_at: start,
    click_limit: limit,
    click_count: clicks,
    fallback_url: fallback,
    fallbacks,
  } = link;
  const used = limit === null ? "" : words.used(formatCount(Math.min(clicks, limit)), formatCount(limit));
  return (
    <>
      {start && (
        <Fact name={words.start}>
          <time dateTime={start} title={formatExact(start)}>
            {formatDay(start)}, {formatAgo(start)}
          </time>
        </Fact>
      )}
      {limit !== null && (
        <Fact name={words.limit}>
          <meter
            className="clicks-left"
            min={0}
            low={limit - 1}
            high={limit}
            max={limit}
            optimum={0}
            value={clicks}
            aria-label={used}
          />
          {used}
        </Fact>
      )}
      {(fallback || fallbacks > 0) && (
        <Fact name={words.fallback}>
          {fallback && <Url url={fallback} />}
          {fallbacks > 0 && <p>{words.sent(fallbacks)}</p>}
        </Fact>
      )}
    </>
  );
}

function Url({ url }: { url: string }) {
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </a>
  );
}
