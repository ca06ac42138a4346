import { later } from "../../kit/later.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { api } from "../../kit/api/api.ts";
import { remember } from "../../kit/api/recent.ts";
import { deleteLater } from "../links/deletion.ts";
import { shortName } from "../../kit/api/link.ts";
import { storedLook } from "../qr/look.ts";
import { without } from "../../kit/without.ts";
import { useAccountId } from "../../kit/api/account.ts";
import { useStrings } from "../../words/strings.tsx";
import { useCopy } from "../../kit/CopyButton.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { useSwitch } from "./actions.ts";
import { Facts } from "./Facts.tsx";
import { LinkProblem } from "../history/LinkProblem.tsx";
import { LinkReport } from "../analytics/LinkReport.tsx";
import { ScreenTitle } from "../../kit/ScreenTitle.tsx";
import "./link.css";

const Builder = later(() => import("../builder/Builder.tsx"), "Builder");
const route = getRouteApi("/links/$id");

/** One link: what it is on the left, how it does on the right. */
export function LinkScreen() {
  const strings = useStrings();
  const { link: words } = strings;
  const { id } = route.useParams();
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const link = useQuery(api.links.get.queryOptions({ id }));
  const openBuilder = (open: boolean) =>
    void navigate({
      search: (before) => ({ ...without(before, "edit"), ...(open && { edit: true as const }) }),
    });
  const copy = useCopy();
  const toggle = useSwitch(link.data);
  const name = link.data && shortName(link.data);
  const remove = () => {
    if (name === undefined) return;
    deleteLater(id, strings.links.deleted(name));
    void navigate({ to: "/" });
  };
  const account = useAccountId();
  useEffect(() => {
    if (account !== undefined && name !== undefined) remember(account, { link: id, name });
  }, [account, id, name]);

  if (link.error && !link.data)
    return <LinkProblem id={id} error={link.error} retry={() => void link.refetch()} />;
  if (!link.data) return <div className="skeleton" aria-busy="true" />;
  const { shortUrl } = link.data;
  const look = storedLook(link.data);
  return (
    <>
      <header className="screen-header">
        <ScreenTitle>{name}</ScreenTitle>
        <button type="button" className="button secondary" onClick={() => void copy(shortUrl)}>
          <Icon name="copy" />
          {words.copy}
          <Shortcut name="y" meaning={words.copyUrl} run={() => void copy(shortUrl)} />
        </button>
        <Link className="button secondary" to="/links/$id/qr" params={{ id }} search={look}>
          {words.qr}
          <Shortcut
            name="q"
            meaning={words.design}
            run={() => void navigate({ to: "/links/$id/qr", params: { id }, search: look })}
          />
        </Link>
        <button type="button" className="button" onClick={() => openBuilder(true)}>
          {words.edit}
          <Shortcut name="e" meaning={strings.builder.editTitle} run={() => openBuilder(true)} />
        </button>
      </header>
      <div className="columns">
        <Facts link={link.data}>
          <p className="more">
            <a
              className="text-button"
              href={shortUrl}
              rel="noreferrer"
              target="_blank"
              title={words.openHint}
            >
              {words.open}
            </a>
            {link.data.disabled_at === null && (
              <button type="button" className="text-button" onClick={toggle}>
                {link.data.is_active ? words.switchOff : words.switchOn}
              </button>
            )}
            <button type="button" className="text-button danger" onClick={remove}>
              {words.delete}
            </button>
          </p>
        </Facts>
        <LinkReport key={id} id={id} />
      </div>
      {edit && <Builder link={link.data} close={() => openBuilder(false)} />}
    </>
  );
}
