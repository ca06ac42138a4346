import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api, statusOf } from "../api.ts";
import { formatDay, formatExact } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Problem } from "../ui/Problem.tsx";
import type { Bucket } from "./bucket.ts";

const BucketEditor = lazy(async () => ({ default: (await import("./BucketEditor.tsx")).BucketEditor }));

/** The account's link-in-bio pages. */
export function BucketsScreen() {
  const strings = useStrings();
  const { buckets } = strings;
  const list = useQuery(api.buckets.list.queryOptions({ limit: 100 }));
  const [edited, setEdited] = useState<Bucket | "new" | null>(null);
  const needsPlan = statusOf(list.error) === 403;
  return (
    <>
      <header className="top">
        <h1>{strings.places.buckets}</h1>
        {!needsPlan && (
          <button type="button" onClick={() => setEdited("new")}>
            <Icon name="plus" />
            {buckets.create}
          </button>
        )}
      </header>
      {needsPlan && (
        <div className="empty">
          <h2>{buckets.locked}</h2>
          <p>{buckets.lead}</p>
        </div>
      )}
      {list.error && !needsPlan && !list.data && (
        <Problem error={list.error} retry={() => void list.refetch()} />
      )}
      {list.data?.data.length === 0 && (
        <div className="empty">
          <h2>{buckets.empty}</h2>
          <p>{buckets.lead}</p>
        </div>
      )}
      <ul className="cards">
        {list.data?.data.map((bucket) => (
          <li key={bucket.id} className="sheet padded">
            <h2 dir="auto">{bucket.name}</h2>
            <p>
              <a href={bucket.shortUrl} target="_blank" rel="noreferrer">
                {bucket.shortUrl.replace(/^https?:\/\//, "")}
              </a>
              <CopyButton text={bucket.shortUrl} />
            </p>
            <p className="note">
              {buckets.links(bucket.links.length)} ·{" "}
              <time dateTime={bucket.updated_at} title={formatExact(bucket.updated_at)}>
                {formatDay(bucket.updated_at)}
              </time>
            </p>
            <button type="button" className="quiet" onClick={() => setEdited(bucket)}>
              {strings.link.edit}
            </button>
          </li>
        ))}
      </ul>
      {edited && (
        <Suspense>
          <BucketEditor {...(edited !== "new" && { bucket: edited })} close={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  );
}
