import { useStrings } from "../../words/strings.tsx";
import type { Details } from "./domain.ts";
import { type DnsProvider, dnsProviders, providerOf } from "./providers.ts";

/** Where the records are set: at the provider that the name servers show, else at one of a list. */
export function ProviderHelp({ details }: { details: Details }) {
  const { domains } = useStrings();
  const provider = providerOf(details.name_servers);
  if (provider) {
    return (
      <p>
        {domains.at(details.zone, provider.title)} <Path provider={provider} end="." />
      </p>
    );
  }
  const [server] = details.name_servers ?? [];
  return (
    <>
      <p>{server ? domains.servedBy(details.zone, server) : domains.somewhere(details.zone)}</p>
      <details>
        <summary>{domains.where}</summary>
        <ul className="providers">
          {dnsProviders.map((each) => (
            <li key={each.title}>
              <b>{each.title}</b> <Path provider={each} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Path({ provider: { path, proxies }, end = "" }: { provider: DnsProvider; end?: string }) {
  const { domains } = useStrings();
  return (
    <>
      <span className="soft">
        {path.join(" → ")}
        {end || (proxies && ".")}
      </span>
      {proxies && <span> {domains.dnsOnly}</span>}
    </>
  );
}
