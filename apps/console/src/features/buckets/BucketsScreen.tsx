import { later } from "../../kit/later.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, statusOf } from "../../kit/api/api.ts";
import { formatCount } from "../../kit/format/format.ts";
import { useHas, useMay } from "../../kit/api/account.ts";
import { RoleNote } from "../../kit/RoleNote.tsx";
import { useStrings } from "../../words/strings.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { type Bucket, deleteLater, useDeletedBuckets } from "./bucket.ts";
import { Empty, ScreenHeader } from "../../kit/Screen.tsx";
import { Button, MainButton } from "../../kit/Button.tsx";
import { Day } from "../../kit/Ago.tsx";
import "./buckets.css";

const BucketEditor = later(() => import("./BucketEditor.tsx"), "BucketEditor");
const route = getRouteApi("/buckets");

/** The account's link-in-bio pages. The address says which one is open. */
export function BucketsScreen() {
  const strings = useStrings();
  const { buckets } = strings;
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const isIncluded = useHas("buckets");
  const list = useQuery(api.buckets.list.queryOptions({ limit: 100 }, { enabled: isIncluded ?? false }));
  const deleted = useDeletedBuckets();
  const rows = list.data?.data.filter(({ id }) => !deleted.has(id)) ?? [];
  const edited = rows.find(({ id }) => id === edit);
  const needsPlan = isIncluded === false || statusOf(list.error) === 403;
  const mayChange = useMay("buckets");
  const create = () => void navigate({ search: { edit: "new" } });
  const close = () => void navigate({ search: {} });
  return (
    <>
      <ScreenHeader title={strings.places.buckets}>
        {!needsPlan && mayChange && (
          <MainButton onClick={create}>
            <Icon name="plus" />
            {buckets.create}
            <Shortcut name="n" meaning={buckets.create} run={create} />
          </MainButton>
        )}
      </ScreenHeader>
      <RoleNote permission="buckets" />
      {needsPlan ? (
        <Empty title={buckets.locked} hint={buckets.lead} />
      ) : (
        <Loaded query={list} height="middle">
          {() =>
            rows.length === 0 ? (
              <Empty title={buckets.empty} hint={buckets.lead} />
            ) : (
              <ul className="sheet bucket-list" aria-label={strings.places.buckets}>
                {rows.map((bucket) => (
                  <Row
                    key={bucket.id}
                    bucket={bucket}
                    edit={() => void navigate({ search: { edit: bucket.id } })}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      {(edit === "new" || edited) && (
        <BucketEditor key={edit} {...(edited && { bucket: edited })} close={close} />
      )}
    </>
  );
}

function Row({ bucket, edit }: { bucket: Bucket; edit: () => void }) {
  const { buckets, link } = useStrings();
  const { id, name, shortUrl, avatar_url, views, clicks, links, updated_at, disabled_at } = bucket;
  const [initial = ""] = Array.from(name);
  return (
    <li>
      {avatar_url ? (
        <img src={avatar_url} alt="" className="face" width="40" height="40" />
      ) : (
        <span className="face" aria-hidden="true">
          {initial.toUpperCase()}
        </span>
      )}
      <div className="about">
        <h2 dir="auto">{name}</h2>
        <p>
          <a href={shortUrl} className="ellipsis" target="_blank" rel="noreferrer">
            {shortUrl.replace(/^https?:\/\//, "")}
          </a>
          <CopyButton text={shortUrl} />
        </p>
      </div>
      <p className="note when">
        {disabled_at ? <span className="off">{buckets.disabled}</span> : buckets.links(links.length)}
        {" · "}
        <Day at={updated_at} />
      </p>
      <dl>
        <div>
          <dt>{buckets.views}</dt>
          <dd className="number">{formatCount(views)}</dd>
        </div>
        <div>
          <dt>{buckets.clicksTitle}</dt>
          <dd className="number">{formatCount(clicks)}</dd>
        </div>
      </dl>
      <p className="acts">
        <Button aria-label={buckets.edit(name)} onClick={edit}>
          {link.edit}
        </Button>
        <Button aria-label={buckets.delete(name)} onClick={() => deleteLater(id, buckets.deleted(name))}>
          {link.delete}
        </Button>
      </p>
    </li>
  );
}
