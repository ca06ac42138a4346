import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api, statusOf } from "../api.ts";
import { countryName, formatAgo, formatExact } from "../format.ts";
import { useKey } from "../frame/shortcuts.ts";
import { deleteLater } from "../links/deletion.ts";
import { type Link as ShortLink, marksOf, shortName } from "../links/link.ts";
import { without } from "../report/search.ts";
import { useStrings } from "../strings/strings.tsx";
import { useCopy } from "../ui/CopyButton.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Problem } from "../ui/Problem.tsx";
import { LinkReport } from "./LinkReport.tsx";

const Builder = lazy(async () => ({ default: (await import("../links/Builder.tsx")).Builder }));
const route = getRouteApi("/links/$id");

/** One link: what it is on the left, how it does on the right. */
export function LinkScreen() {
  const strings = useStrings();
  const { id } = route.useParams();
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const link = useQuery(api.links.get.queryOptions({ id }));
  const openBuilder = (open: boolean) =>
    void navigate({
      search: (before) => ({ ...without(before, "edit"), ...(open && { edit: true as const }) }),
    });
  const copy = useCopy();
  useKey("e", () => openBuilder(true));

  if (link.error && !link.data) {
    return statusOf(link.error) === 404 ? (
      <div className="empty">
        <h1>{strings.link.missing}</h1>
        <p>{strings.link.missingHint}</p>
        <Link to="/">{strings.link.back}</Link>
      </div>
    ) : (
      <Problem error={link.error} retry={() => void link.refetch()} />
    );
  }
  if (!link.data) return <div className="skeleton" aria-busy="true" />;
  const { shortUrl } = link.data;
  const remove = () => {
    deleteLater(id, strings.links.deleted(shortName(link.data)));
    void navigate({ to: "/" });
  };
  return (
    <>
      <header className="top">
        <h1>{shortName(link.data)}</h1>
        <button type="button" className="quiet" onClick={() => void copy(shortUrl)}>
          <Icon name="copy" />
          {strings.link.copy}
        </button>
        <button type="button" className="quiet" onClick={() => openBuilder(true)}>
          {strings.link.edit}
          <kbd>E</kbd>
        </button>
        <button type="button" className="quiet" onClick={remove}>
          {strings.link.delete}
        </button>
      </header>
      <div className="halves">
        <Facts link={link.data} />
        <LinkReport key={id} id={id} />
      </div>
      {edit && (
        <Suspense>
          <Builder link={link.data} close={() => openBuilder(false)} />
        </Suspense>
      )}
    </>
  );
}

function Facts({ link }: { link: ShortLink }) {
  const strings = useStrings();
  const qr = `/v1/links/${link.id}/qr`;
  return (
    <aside className="facts">
      <img className="qr" src={`${qr}?margin=2`} width="180" height="180" alt={strings.link.qr} />
      <a href={`${qr}?size=1024`} download={`${link.slug}.svg`}>
        {strings.link.svg}
      </a>
      <dl>
        {link.title && (
          <div>
            <dt>{strings.builder.title}</dt>
            <dd dir="auto">{link.title}</dd>
          </div>
        )}
        <div>
          <dt>{strings.link.destination}</dt>
          <dd>
            <a href={link.destination} rel="noreferrer" target="_blank">
              {link.destination}
            </a>
          </dd>
        </div>
        {marksOf(link, strings).map(({ text, isOff }) => (
          <div key={text}>
            <dd className={isOff ? "off" : undefined}>{text}</dd>
          </div>
        ))}
        {link.geo_rules.map(({ country, url }) => (
          <div key={country}>
            <dt>{countryName(country)}</dt>
            <dd>{url}</dd>
          </div>
        ))}
        <div>
          <dt>{strings.link.created}</dt>
          <dd>
            <time dateTime={link.created_at} title={formatExact(link.created_at)}>
              {formatAgo(link.created_at)}
            </time>
          </dd>
        </div>
      </dl>
    </aside>
  );
}
