import { later, skeleton } from "../../kit/later.tsx";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, statusOf } from "../../kit/api/api.ts";
import { formatClock } from "../../kit/format/format.ts";
import { say } from "../../kit/toasts.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { type Domain, pauseAfter } from "./domain.ts";
import { ProviderHelp } from "./ProviderHelp.tsx";
import { Records } from "./Records.tsx";
import { Button } from "../../kit/Button.tsx";

const DomainSharing = later(() => import("./DomainSharing.tsx"), "DomainSharing", skeleton);
const DomainSettings = later(() => import("./DomainSettings.tsx"), "DomainSettings", skeleton);

/** Checks the records until the domain is verified, less and less often, and says what to do meanwhile. */
export function DomainCard({ domain }: { domain: Domain }) {
  const strings = useStrings();
  const { domains, domainSettings, domainSharing } = strings;
  const { id } = domain;
  const [asked, setAsked] = useState(false);
  const check = useQuery(
    api.domains.verify.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          state.data?.status === "verified"
            ? false
            : pauseAfter(state.dataUpdateCount + state.errorUpdateCount),
      },
    ),
  );
  const details = useQuery(api.domains.get.queryOptions({ id }, { staleTime: 300_000 }));
  const status = check.data?.status ?? domain.status;
  const isRight = check.data?.checks.every(({ ok }) => ok) ?? true;
  const records = <Records domain={domain} checks={check.data?.checks} zone={details.data?.zone} />;
  return (
    <section className="domain sheet" aria-label={domain.domain}>
      <header className="screen-header">
        <h2>{domain.domain}</h2>
        <span className={`domain-state ${status}`} role="status">
          {domains.status[status]}
        </span>
        <span className="spacer" />
        <Button isAtWork={check.isFetching} onClick={() => void check.refetch()}>
          {check.isFetching ? domains.checking : domains.check}
        </Button>
        <Button onClick={() => setAsked(true)}>{strings.link.delete}</Button>
      </header>
      {check.error && (
        <Wrong>{statusOf(check.error) === null ? strings.errors.unreachable : check.error.message}</Wrong>
      )}
      {status === "verified" ? (
        <>
          <p>
            {isRight ? domains.ready(domain.domain) : domains.broken}{" "}
            <Link to="/" search={{ new: "" }}>
              {domains.createLink}
            </Link>
          </p>
          <details open={!isRight}>
            <summary>{domains.records}</summary>
            {records}
          </details>
        </>
      ) : (
        <>
          <p>{status === "failed" ? domains.failedHint : domains.pendingHint}</p>
          {details.data && <ProviderHelp details={details.data} />}
          {records}
        </>
      )}
      <details>
        <summary>{domainSettings.title}</summary>
        <DomainSettings domain={domain} />
      </details>
      <details>
        <summary>{domainSharing.title}</summary>
        <DomainSharing domain={domain} links={details.data?.links_of_others} />
      </details>
      <p className="note">
        {check.dataUpdatedAt > 0 && domains.checkedAt(formatClock(check.dataUpdatedAt))}{" "}
        {status !== "verified" && domains.checksItself}
      </p>
      {asked && <Deletion domain={domain} links={details.data?.links} close={() => setAsked(false)} />}
    </section>
  );
}

/** A domain of another workspace, on which this one can create links. */
export function SharedDomain({ domain: { domain, status } }: { domain: Domain }) {
  const { domains, domainSharing } = useStrings();
  return (
    <section className="domain sheet" aria-label={domain}>
      <header className="screen-header">
        <h2>{domain}</h2>
        <span className={`domain-state ${status}`}>{domains.status[status]}</span>
      </header>
      <p>
        {domainSharing.foreign}{" "}
        {status === "verified" && (
          <Link to="/" search={{ new: "" }}>
            {domains.createLink}
          </Link>
        )}
      </p>
    </section>
  );
}

interface DeletionProps {
  domain: Domain;
  /** How many links stop; undefined while that is not known */
  links: number | undefined;
  close: () => void;
}

function Deletion({ domain: { id, domain }, links, close }: DeletionProps) {
  const strings = useStrings();
  const { domains } = strings;
  const remove = useMutation(
    api.domains.delete.mutationOptions({
      onSuccess: () => say(domains.deleted(domain)),
    }),
  );
  return (
    <Confirm
      title={domains.deleteTitle(domain)}
      action={strings.link.delete}
      isPending={remove.isPending}
      error={remove.error?.message}
      close={close}
      onConfirm={() => remove.mutate({ id })}
    >
      <p>{links === 0 ? domains.deleteNone : domains.deleteStops(links)}</p>
      <p className="note">{domains.deleteHint}</p>
    </Confirm>
  );
}
