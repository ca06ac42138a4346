import { inWorkspace } from "../../../kit/api/workspace.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { api, refresh, statusOf } from "../../../kit/api/api.ts";
import { formatCount } from "../../../kit/format/format.ts";
import { shortName } from "../../../kit/api/link.ts";
import { useStrings } from "../../../words/strings.tsx";
import { useCopy } from "../../../kit/CopyButton.tsx";
import { Field } from "../../../kit/Field.tsx";
import { Icon } from "../../../kit/Icon.tsx";
import { withScheme } from "../../../kit/format/url.ts";
import type { Progress } from "./progress.ts";
import { Button, MainButton, TextButton } from "../../../kit/Button.tsx";
import "./first-steps.css";

interface StepsProps {
  progress: Exclude<Progress, { at: "done" }>;
  go: (next: Progress) => void;
}

const order = ["shorten", "share", "watch"] as const;
/** Milliseconds between two looks for the first click */
const lookEvery = 2000;

/** The three steps, one of them open. Focus follows to the step that opens. */
export function Steps({ progress, go }: StepsProps) {
  const { firstSteps } = useStrings();
  const now = order.indexOf(progress.at);
  return (
    <section className="first-steps sheet" aria-label={firstSteps.title}>
      <header>
        <h2>{firstSteps.title}</h2>
        <TextButton onClick={() => go({ at: "done" })}>{firstSteps.dismiss}</TextButton>
      </header>
      <ol>
        {order.map((name, at) => (
          <li
            key={name}
            className={at < now ? "past" : undefined}
            aria-current={at === now ? "step" : undefined}
          >
            <span className="step" aria-hidden="true">
              {at < now ? <Icon name="check" /> : at + 1}
            </span>
            <div>
              <h3>{firstSteps[name]}</h3>
              {at === now &&
                (progress.at === "shorten" ? <Shorten go={go} /> : <WithLink progress={progress} go={go} />)}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Shorten({ go }: { go: StepsProps["go"] }) {
  const { firstSteps } = useStrings();
  const [url, setUrl] = useState("");
  const create = useMutation(
    api.links.create.mutationOptions({
      onSuccess: ({ id }) => go({ at: "share", link: id }),
    }),
  );
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ url: withScheme(url) });
      }}
    >
      <Field
        label={firstSteps.url}
        placeholder="https://example.com/a/long/address"
        inputMode="url"
        isCode
        value={url}
        onChange={setUrl}
        error={create.error?.message}
      />
      <MainButton type="submit" disabled={create.isPending || url.trim() === ""}>
        {firstSteps.shortenIt}
      </MainButton>
    </form>
  );
}

/** Steps of a link, which is looked for again and again until it was clicked. A link that was deleted ends them. */
function WithLink({ progress, go }: StepsProps & { progress: { link: string } }) {
  const id = progress.link;
  const link = useQuery(
    api.links.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.click_count ? false : lookEvery), staleTime: 0 },
    ),
  );
  const isGone = statusOf(link.error) === 404;
  useEffect(() => {
    if (isGone) go({ at: "shorten" });
  }, [isGone, go]);
  if (!link.data) return null;
  const { shortUrl, click_count } = link.data;
  const shown = { id, shortUrl, name: shortName(link.data) };
  return progress.at === "share" ? (
    <Share {...shown} next={() => go({ at: "watch", link: id })} />
  ) : (
    <Watch {...shown} clicks={click_count} done={() => go({ at: "done" })} />
  );
}

interface Shown {
  id: string;
  shortUrl: string;
  name: string;
}

function Share({ id, shortUrl, name, next }: Shown & { next: () => void }) {
  const { firstSteps, link } = useStrings();
  const copy = useCopy();
  return (
    <Opened>
      <Code id={id} name={name} />
      <div className="beside">
        <p>{firstSteps.shareHint}</p>
        <p className="actions">
          <Button onClick={() => void copy(shortUrl)}>
            <Icon name="copy" />
            {link.copyUrl}
          </Button>
          <a
            className="button secondary"
            href={inWorkspace(`/v1/links/${id}/qr?size=1024`)}
            download={`${name.replaceAll("/", "-")}.svg`}
          >
            {firstSteps.download}
          </a>
          <MainButton onClick={next}>{firstSteps.next}</MainButton>
        </p>
      </div>
    </Opened>
  );
}

function Watch({ id, shortUrl, name, clicks, done }: Shown & { clicks: number; done: () => void }) {
  const { firstSteps } = useStrings();
  const hasArrived = clicks > 0;
  // The list below counts it, too.
  useEffect(() => {
    if (hasArrived) void refresh("links");
  }, [hasArrived]);
  return (
    <Opened>
      <Code id={id} name={name} />
      <div className="beside">
        <p role="status" className={clicks > 0 ? "arrived" : "waiting"}>
          {clicks > 0 ? firstSteps.arrived(clicks, formatCount(clicks)) : firstSteps.waiting}
        </p>
        <p className="actions">
          {clicks > 0 ? (
            <>
              <Link className="button" to="/links/$id" params={{ id }} onClick={done}>
                {firstSteps.seeReport}
              </Link>
              <Button onClick={done}>{firstSteps.finish}</Button>
            </>
          ) : (
            <a className="button" href={shortUrl} target="_blank" rel="noreferrer">
              {firstSteps.open}
            </a>
          )}
        </p>
      </div>
    </Opened>
  );
}

function Code({ id, name }: { id: string; name: string }) {
  const { firstSteps } = useStrings();
  return (
    <img
      className="qr"
      src={inWorkspace(`/v1/links/${id}/qr?margin=2`)}
      width="136"
      height="136"
      alt={firstSteps.qrOf(name)}
    />
  );
}

/** What a step shows when it opens. It takes the focus that the button of the step before has lost. */
function Opened({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={box} tabIndex={-1} className="opened">
      {children}
    </div>
  );
}
