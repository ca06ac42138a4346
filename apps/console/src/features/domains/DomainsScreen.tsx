import { useQuery } from "@tanstack/react-query";
import { api, statusOf } from "../../kit/api/api.ts";
import { useHas, useMay } from "../../kit/api/account.ts";
import { RoleNote } from "../../kit/RoleNote.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { AddDomain } from "./AddDomain.tsx";
import { DomainCard, SharedDomain } from "./DomainCard.tsx";
import { Empty, ScreenHeader } from "../../kit/Screen.tsx";
import "./domains.css";

/** The account's custom domain: adding it, the records to set, and what DNS says now. */
export function DomainsScreen() {
  const strings = useStrings();
  const { domains } = strings;
  const isIncluded = useHas("custom_domains");
  const mayAdd = useMay("domains");
  const list = useQuery(api.domains.list.queryOptions(undefined, { enabled: isIncluded ?? false }));
  const needsPlan = isIncluded === false || statusOf(list.error) === 403;
  return (
    <>
      <ScreenHeader title={strings.places.domains} />
      <RoleNote permission="domains" />
      {needsPlan ? (
        <Empty title={domains.locked} hint={domains.lead} />
      ) : (
        <Loaded query={list}>
          {(all) => (
            <>
              {all.some(({ owned }) => owned) ? null : mayAdd ? (
                <AddDomain />
              ) : (
                <p className="soft">{domains.lead}</p>
              )}
              {all.map((domain) =>
                domain.owned ? (
                  <DomainCard key={domain.id} domain={domain} />
                ) : (
                  <SharedDomain key={domain.id} domain={domain} />
                ),
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}
