import { useQuery } from "@tanstack/react-query";
import { api, statusOf } from "../../kit/api/api.ts";
import { useHas } from "../../kit/api/account.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { AddDomain } from "./AddDomain.tsx";
import { DomainCard } from "./DomainCard.tsx";
import { ScreenTitle } from "../../kit/ScreenTitle.tsx";
import "./domains.css";

/** The account's custom domain: adding it, the records to set, and what DNS says now. */
export function DomainsScreen() {
  const strings = useStrings();
  const { domains } = strings;
  const isIncluded = useHas("custom_domains");
  const list = useQuery(api.domains.list.queryOptions(undefined, { enabled: isIncluded ?? false }));
  const needsPlan = isIncluded === false || statusOf(list.error) === 403;
  return (
    <>
      <header className="screen-header">
        <ScreenTitle>{strings.places.domains}</ScreenTitle>
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
      {!needsPlan && list.isPending && <div className="skeleton low" aria-busy="true" />}
      {list.data?.length === 0 && <AddDomain />}
      {list.data?.map((domain) => (
        <DomainCard key={domain.id} domain={domain} />
      ))}
    </>
  );
}
