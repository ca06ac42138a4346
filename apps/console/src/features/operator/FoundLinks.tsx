import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Listing } from "../../kit/Table.tsx";
import { DisableButton } from "./DisableButton.tsx";
import { operatorApi } from "./operator-api.ts";
import { SearchForm } from "./SearchForm.tsx";
import { Owner } from "./Owner.tsx";

const route = getRouteApi("/operator");
const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A short URL, slug, destination's host or account's id, as one types it; without any of them, the newest. */
function filterOf(text: string) {
  if (text === "") return { newest: true } as const;
  if (isId.test(text)) return { accountId: text };
  return /^[^/:\s]+\.[^/:\s]+$/.test(text) ? { host: text } : { slug: text };
}

/** Links of all accounts: the newest, or those found by what an operator knows of them. */
export function FoundLinks() {
  const { operator } = useStrings();
  const { q = "" } = route.useSearch();
  const found = useQuery(operatorApi.findLinks.queryOptions(filterOf(q)));
  return (
    <>
      <SearchForm key={q} view="links" label={operator.findLinks} />
      <Loaded query={found}>
        {({ links, more }) =>
          links.length === 0 ? (
            <p className="note">{q ? operator.noLinks : operator.noLinksYet}</p>
          ) : (
            <>
              <Listing
                columns={[operator.link, operator.owner, operator.clicks, operator.state]}
                numbers={[2]}
                actions={operator.actions}
              >
                {links.map((link) => (
                  <tr key={link.id}>
                    <td>
                      {link.short_url}
                      <small dir="auto">{link.destination}</small>
                    </td>
                    <td>
                      <Owner email={link.account?.email} />
                    </td>
                    <td className="number" data-label={operator.clicks}>
                      {formatCount(link.click_count)}
                    </td>
                    <td className={link.disabled_at ? "off" : ""}>
                      {link.disabled_at ? operator.isDisabled : operator.isEnabled}
                      {link.disabled_reason && <small dir="auto">{link.disabled_reason}</small>}
                    </td>
                    <td className="row-actions">
                      <DisableButton
                        id={link.id}
                        name={link.short_url}
                        disabled={link.disabled_at !== null}
                      />
                    </td>
                  </tr>
                ))}
              </Listing>
              {more && <p className="note">{operator.firstHundred}</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
}
