import { later } from "../../kit/later.tsx";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useOtherWorkspaces, useTeam } from "../../kit/api/members.ts";
import { remember } from "../../kit/api/recent.ts";
import { deleteLater } from "../links/deletion.ts";
import { type Link as ShortLink, shortName } from "../../kit/api/link.ts";
import { storedLook } from "../qr/look.ts";
import { without } from "../../kit/without.ts";
import { useMay, useWorkspaceId } from "../../kit/api/account.ts";
import { useStrings } from "../../words/strings.tsx";
import { useCopy } from "../../kit/CopyButton.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { useSwitch } from "./actions.ts";
import { Facts } from "./Facts.tsx";
import { LoadedLink } from "../history/LoadedLink.tsx";
import { LinkReport } from "../analytics/LinkReport.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";
import { Button, MainButton, TextButton } from "../../kit/Button.tsx";
import "./link.css";

const HandOver = later(() => import("../links/HandOver.tsx"), "HandOver");
const Move = later(() => import("../links/Move.tsx"), "Move");
const Builder = later(() => import("../builder/Builder.tsx"), "Builder");
const route = getRouteApi("/links/$id");

/** One link: what it is on the left, how it does on the right. */
export function LinkScreen() {
  const { id } = route.useParams();
  return <LoadedLink id={id}>{(link) => <Shown key={id} link={link} />}</LoadedLink>;
}

function Shown({ link }: { link: ShortLink }) {
  const strings = useStrings();
  const { link: words } = strings;
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { id, shortUrl } = link;
  const name = shortName(link);
  const look = storedLook(link);
  const openBuilder = (open: boolean) =>
    void navigate({
      search: (before) => ({ ...without(before, "edit"), ...(open && { edit: true as const }) }),
    });
  const copy = useCopy();
  const mayChange = useMay("links:write");
  const isShared = useTeam().length > 0;
  const canMove = useOtherWorkspaces().length > 0;
  const [asks, setAsks] = useState<"maker" | "workspace" | null>(null);
  const close = () => setAsks(null);
  const toggle = useSwitch(link);
  const remove = () => {
    deleteLater(id, strings.links.deleted(name));
    void navigate({ to: "/" });
  };
  const account = useWorkspaceId();
  useEffect(() => {
    if (account !== undefined) remember(account, { link: id, name });
  }, [account, id, name]);
  return (
    <>
      <ScreenHeader title={name}>
        <Button onClick={() => void copy(shortUrl)}>
          <Icon name="copy" />
          {words.copy}
          <Shortcut name="y" meaning={words.copyUrl} run={() => void copy(shortUrl)} />
        </Button>
        <Link className="button secondary" to="/links/$id/qr" params={{ id }} search={look}>
          {words.qr}
          <Shortcut
            name="q"
            meaning={words.design}
            run={() => void navigate({ to: "/links/$id/qr", params: { id }, search: look })}
          />
        </Link>
        {mayChange && (
          <MainButton onClick={() => openBuilder(true)}>
            {words.edit}
            <Shortcut name="e" meaning={strings.builder.editTitle} run={() => openBuilder(true)} />
          </MainButton>
        )}
      </ScreenHeader>
      <div className="columns">
        <Facts link={link}>
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
            {mayChange && link.disabled_at === null && (
              <TextButton onClick={toggle}>{link.is_active ? words.switchOff : words.switchOn}</TextButton>
            )}
            {mayChange && isShared && (
              <TextButton onClick={() => setAsks("maker")}>{strings.linkList.handOver}…</TextButton>
            )}
            {mayChange && canMove && (
              <TextButton onClick={() => setAsks("workspace")}>{strings.linkList.move}…</TextButton>
            )}
            {mayChange && (
              <TextButton isDanger onClick={remove}>
                {words.delete}
              </TextButton>
            )}
          </p>
        </Facts>
        <LinkReport id={id} />
      </div>
      {asks === "maker" && <HandOver ids={[id]} close={close} />}
      {asks === "workspace" && <Move ids={[id]} close={close} done={() => void navigate({ to: "/" })} />}
      {edit && mayChange && <Builder link={link} close={() => openBuilder(false)} />}
    </>
  );
}
