import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api, statusOf } from "../../kit/api/api.ts";
import { type Link as ShortLink, shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { Select } from "../../kit/Choices.tsx";
import { imageOf, lookOf, type Look, storeLook } from "./look.ts";
import { useLogoVersion } from "./logo-version.ts";
import { codesPerPage, maxCopies, maxOnSheet } from "./sheet.ts";
import { Empty, ScreenHeader } from "../../kit/Screen.tsx";
import { MainButton } from "../../kit/Button.tsx";
import "./qr.css";

const route = getRouteApi("/qr");

/** QR codes to print, each with its short URL and title. The address holds the links, the look and the layout. */
export function SheetScreen() {
  const { qr, link: words } = useStrings();
  const { ids = "", per = 12, copies = 1, ...look } = route.useSearch();
  const navigate = route.useNavigate();
  const wanted = [...new Set(ids.split(",").filter(Boolean))].slice(0, maxOnSheet);
  const found = useQueries({ queries: wanted.map((id) => api.links.get.queryOptions({ id })) });
  const failed = found.find(({ error, data }) => error && !data && statusOf(error) !== 404);
  const logoVersion = useLogoVersion(look.logo ?? found.some(({ data }) => data?.qr?.logo));
  const links = found.flatMap(({ data }) => (data ? Array<ShortLink>(copies).fill(data) : []));
  const missing = found.filter(({ error }) => statusOf(error) === 404).length;
  const isLoading = found.some(({ isLoading: loading }) => loading);
  const pages = Array.from({ length: Math.ceil(links.length / per) }, (_, at) =>
    links.slice(at * per, (at + 1) * per),
  );
  const first = wanted.length === 1 ? wanted[0] : undefined;
  return (
    <>
      <ScreenHeader title={qr.sheet}>
        <label className="choice">
          {qr.perPage}
          <Select
            value={per}
            values={codesPerPage}
            onChange={(chosen) =>
              void navigate({ search: (before) => ({ ...before, per: chosen }), replace: true })
            }
          />
        </label>
        <label className="choice">
          {qr.copies}
          <input
            className="input"
            type="number"
            min={1}
            max={maxCopies}
            value={copies}
            onChange={({ target }) => {
              const next = target.valueAsNumber;
              if (Number.isInteger(next) && next >= 1 && next <= maxCopies)
                void navigate({ search: (before) => ({ ...before, copies: next }), replace: true });
            }}
          />
        </label>
        {first ? (
          <Link className="button secondary" to="/links/$id/qr" params={{ id: first }} search={look}>
            {qr.design}
          </Link>
        ) : (
          <Link className="button secondary" to="/">
            {words.back}
          </Link>
        )}
        <MainButton
          disabled={isLoading || links.length === 0}
          onClick={() => {
            if (Object.keys(look).length > 0) storeLook(lookOf({ qr: null }, look));
            print();
          }}
        >
          {qr.print}
        </MainButton>
      </ScreenHeader>
      {missing > 0 && <p className="note">{qr.missing(missing)}</p>}
      {failed && (
        <Problem
          error={failed.error}
          retry={() => found.forEach(({ error, refetch }) => error && void refetch())}
        />
      )}
      {!failed && isLoading && <div className="skeleton" aria-busy="true" />}
      {!isLoading && !failed && links.length === 0 && <Empty title={qr.nothing} hint={qr.nothingHint} />}
      {!isLoading &&
        pages.map((page, at) => (
          <ul key={at} className="paper" data-per={per} aria-label={qr.page(at + 1, pages.length)}>
            {page.map((each, place) => (
              <Code key={place} link={each} look={lookOf(each, look)} logoVersion={logoVersion} />
            ))}
          </ul>
        ))}
    </>
  );
}

function Code({ link, look, logoVersion }: { link: ShortLink; look: Look; logoVersion: string }) {
  const { qr } = useStrings();
  const name = shortName(link);
  return (
    <li>
      <img src={imageOf(link, look, logoVersion)} alt={qr.alt(name)} />
      <p>
        <b>{name}</b>
        {link.title && <span dir="auto">{link.title}</span>}
      </p>
    </li>
  );
}
