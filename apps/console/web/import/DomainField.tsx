import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useStrings } from "../strings/strings.tsx";

/** The host of the new links; shown if there is a choice. */
export function DomainField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (domain: string | null) => void;
}) {
  const { importing } = useStrings();
  const domains = useQuery(api.domains.list.queryOptions());
  const verified = domains.data?.filter(({ status }) => status === "verified") ?? [];
  if (verified.length === 0) return null;
  return (
    <label className="field">
      {importing.domain}
      <select value={value ?? ""} onChange={({ target }) => onChange(target.value || null)}>
        <option value="">{importing.ownHost}</option>
        {verified.map(({ id, domain }) => (
          <option key={id}>{domain}</option>
        ))}
      </select>
    </label>
  );
}
