import { useQuery } from "@tanstack/react-query";
import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../api.ts";
import { inWords } from "../builder/rules/words.ts";
import { countryName, formatAgo, formatCount, formatDay, formatExact, formatShare } from "../format.ts";
import type { Link } from "../links/link.ts";
import { completeLook, imageOf, storedLook } from "../qr/look.ts";
import { useStrings } from "../strings/strings.tsx";
import { Time } from "../ui/Time.tsx";
import { Explain } from "./Explain.tsx";
import { historyOf, stateOf } from "./state.ts";

/** What a link is: its QR code, state, rules in words, and history. */
export function Facts({ link, children }: { link: Link; children: ReactNode }) {
  const { link: words, builder, linkPreview: chats } = useStrings();
  const look = storedLook();
  return (
    <aside className="facts" aria-label={words.facts}>
      <RouterLink
        to="/links/$id/qr"
        params={{ id: link.id }}
        search={look}
        className="qr"
        aria-label={words.design}
        title={words.design}
      >
        <img src={imageOf(link.id, completeLook(look))} width="180" height="180" alt="" />
      </RouterLink>
      <State link={link} />
      <dl>
        {link.title && (
          <Fact name={builder.title}>
            <span dir="auto">{link.title}</span>
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
        {link.has_password && <Fact name={builder.password}>{words.asksPassword}</Fact>}
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
      <History link={link} />
    </aside>
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

/** Why visitors are not redirected, and what to do about it; nothing while they are. */
function State({ link }: { link: Link }) {
  const { link: words } = useStrings();
  // Only the service knows which hosts it blocks.
  const now = useQuery(api.links.explain.queryOptions({ id: link.id, unlocked: true }));
  const state = stateOf(link, now.data?.rule === "blocked");
  if (state === "active") return null;
  return (
    <div className="state">
      <p>
        <b>{words.states[state].what}</b> {state === "disabled" && link.disabled_reason}
      </p>
      <p>{words.gone}</p>
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
        // oxlint-disable-next-line react/no-array-index-key -- rules are named by their place
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

function Url({ url }: { url: string }) {
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </a>
  );
}

function History({ link }: { link: Link }) {
  const { link: words } = useStrings();
  return (
    <section aria-label={words.history}>
      <h2>{words.history}</h2>
      <ol className="history">
        {historyOf(link).map(({ what, at }) => (
          <li key={what}>
            {words.happened[what]} <Time at={at} />
          </li>
        ))}
      </ol>
    </section>
  );
}
