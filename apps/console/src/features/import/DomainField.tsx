import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import { useOwnHost } from "../../kit/api/own-host.ts";
import { useStrings } from "../../words/strings.tsx";
import { SelectField } from "../../kit/Choices.tsx";

interface Target {
  /** The service's own host; empty until it is known */
  own: string;
  /** The account's verified domains */
  verified: readonly string[];
  /** What the file's links are moved to; empty leaves each at the domain that the file says */
  domain: string;
  /** Hosts in the file that are no domains of the account, if none of its hosts is one */
  foreign: readonly string[];
  /** False until it is known whether the file's hosts are domains of the account */
  isKnown: boolean;
}

/** Where the links go. Where the file only has hosts that are not the account's, they go to the service's own. */
export function useTarget(hosts: readonly string[], chosen: string | null): Target {
  const own = useOwnHost();
  const domains = useQuery(api.domains.list.queryOptions());
  const verified = (domains.data ?? [])
    .filter(({ status }) => status === "verified")
    .map(({ domain }) => domain);
  const foreign = domains.isPending || hosts.some((host) => verified.includes(host)) ? [] : hosts;
  const isKnown = hosts.length === 0 || (own !== "" && !domains.isPending);
  return { own, verified, foreign, isKnown, domain: chosen ?? (foreign.length > 0 ? own : "") };
}

/** The host of the new links; shown if there is a choice. */
export function DomainField({
  target: { own, verified, foreign, domain },
  onChange,
}: {
  target: Target;
  onChange: (domain: string) => void;
}) {
  const { importing } = useStrings();
  if (verified.length === 0 && foreign.length === 0) return null;
  return (
    <SelectField
      label={importing.domain}
      value={domain}
      values={["", own, ...verified]}
      textOf={(host) => (host === "" ? importing.asInFile : host === own ? importing.ownHost : host)}
      onChange={onChange}
    />
  );
}
