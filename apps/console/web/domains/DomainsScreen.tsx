import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, queryClient, statusOf } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Field } from "../ui/Field.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { Problem } from "../ui/Problem.tsx";
import { type Domain, recheckEvery } from "./domain.ts";

/** The account's custom domain: adding it, the records to set, and what DNS says now. */
export function DomainsScreen() {
  const strings = useStrings();
  const { domains } = strings;
  const list = useQuery(api.domains.list.queryOptions());
  const needsPlan = statusOf(list.error) === 403;
  return (
    <>
      <header className="top">
        <h1>{strings.places.domains}</h1>
      </header>
      {needsPlan && (
        <div className="empty">
          <h2>{domains.locked}</h2>
          <p>{domains.lead}</p>
        </div>
      )}
      {list.error && !needsPlan && !list.data && (
        <Problem error={list.error} retry={() => void list.refetch()} />
      )}
      {list.data?.length === 0 && <AddDomain />}
      {list.data?.map((domain) => (
        <DomainCard key={domain.id} domain={domain} />
      ))}
    </>
  );
}

const refresh = () => queryClient.invalidateQueries(api.domains.pathFilter());

function AddDomain() {
  const { domains } = useStrings();
  const [name, setName] = useState("");
  const add = useMutation(api.domains.create.mutationOptions({ onSuccess: refresh }));
  return (
    <form
      className="builder narrow"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ domain: name.trim() });
      }}
    >
      <p>{domains.lead}</p>
      <Field
        label={domains.name}
        placeholder="go.example.com"
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        error={add.error?.message}
      />
      <footer>
        <button type="submit" disabled={add.isPending}>
          {domains.add}
        </button>
      </footer>
    </form>
  );
}

/** Checks the records until the domain is verified, and shows "expected" beside "found". */
function DomainCard({ domain }: { domain: Domain }) {
  const strings = useStrings();
  const { domains } = strings;
  const [asked, setAsked] = useState(false);
  const check = useQuery(
    api.domains.verify.queryOptions(
      { id: domain.id },
      { refetchInterval: ({ state }) => (state.data?.status === "verified" ? false : recheckEvery) },
    ),
  );
  const remove = useMutation(
    api.domains.delete.mutationOptions({
      onSuccess: async () => {
        await refresh();
        say(domains.deleted(domain.domain));
      },
    }),
  );
  const status = check.data?.status ?? domain.status;
  return (
    <section className="sheet padded">
      <header className="top">
        <h2>{domain.domain}</h2>
        <span className={status === "verified" ? "good" : status === "failed" ? "off" : "soft"} role="status">
          {domains.status[status]}
        </span>
        <span className="spacer" />
        <button
          type="button"
          className="quiet"
          disabled={check.isFetching}
          onClick={() => void check.refetch()}
        >
          {domains.check}
        </button>
        <button type="button" className="quiet" onClick={() => setAsked(true)}>
          {strings.link.delete}
        </button>
      </header>
      <div className="scroll tall">
        <table>
          <thead>
            <tr>
              <th>{domains.type}</th>
              <th>{domains.record}</th>
              <th>{domains.expected}</th>
              <th>{domains.found}</th>
            </tr>
          </thead>
          <tbody>
            {(check.data?.checks ?? domain.dns.map(withoutResult)).map(
              ({ type, name, expected, found, ok }) => (
                <tr key={type + name}>
                  <td>{type}</td>
                  <td>
                    {name}
                    <CopyButton text={name} />
                  </td>
                  <td>
                    {expected}
                    <CopyButton text={expected} />
                  </td>
                  <td className={ok === null ? "soft" : ok ? "good" : "off"}>
                    {found === undefined
                      ? "…"
                      : found === null
                        ? domains.noAnswer
                        : found.join(", ") || domains.none}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      {asked && (
        <Overlay title={domains.deleteTitle(domain.domain)} close={() => setAsked(false)}>
          <p>{domains.deleteStops}</p>
          <footer className="actions">
            <button type="button" className="quiet" onClick={() => setAsked(false)}>
              {strings.builder.cancel}
            </button>
            <button type="button" onClick={() => remove.mutate({ id: domain.id })}>
              {strings.link.delete}
            </button>
          </footer>
        </Overlay>
      )}
    </section>
  );
}

const withoutResult = ({ type, name, value }: Domain["dns"][number]) => ({
  type,
  name,
  expected: value,
  found: undefined,
  ok: null,
});
