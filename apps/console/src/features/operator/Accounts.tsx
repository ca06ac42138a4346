import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { formatDay, formatExact } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { AccountPanel } from "./AccountPanel.tsx";
import { operatorApi } from "./operator-api.ts";
import { SearchForm } from "./SearchForm.tsx";

const route = getRouteApi("/operator");

/** All accounts, newest first; one opens in a panel. */
export function Accounts() {
  const { operator } = useStrings();
  const { q = "", page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<string | null>(null);
  const list = useQuery(
    operatorApi.accounts.queryOptions(
      { page, ...(q && { search: q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const goTo = (next: number) =>
    void navigate({ search: { view: "accounts", ...(q && { q }), ...(next > 1 && { page: next }) } });
  return (
    <>
      <SearchForm key={q} view="accounts" label={operator.findAccounts} />
      {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <>
          <div className="sheet scroll-x">
            <table className="listing">
              <thead>
                <tr>
                  <th>{operator.email}</th>
                  <th>{operator.plan}</th>
                  <th>{operator.state}</th>
                  <th>{operator.since}</th>
                </tr>
              </thead>
              <tbody>
                {list.data.data.map((account) => (
                  <tr key={account.id}>
                    <td>
                      <button type="button" className="text-button" onClick={() => setOpen(account.id)}>
                        {account.email}
                      </button>
                      <small dir="auto">{account.name}</small>
                    </td>
                    <td>{account.plan}</td>
                    <td className={account.suspended_at ? "off" : ""}>
                      {[
                        account.suspended_at && operator.suspended,
                        account.deletes_at && operator.leaving,
                        account.is_operator && operator.isOperator,
                        !account.email_verified && operator.unproven,
                      ]
                        .filter(Boolean)
                        .join(" · ")}
                    </td>
                    <td title={formatExact(account.created_at)}>{formatDay(account.created_at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="pager">
            <span role="status">{operator.totalAccounts(list.data.meta.total)}</span>
            <button
              type="button"
              className="button secondary"
              disabled={page <= 1}
              onClick={() => goTo(page - 1)}
            >
              {operator.newer}
            </button>
            <button
              type="button"
              className="button secondary"
              disabled={page >= list.data.meta.total_pages}
              onClick={() => goTo(page + 1)}
            >
              {operator.older}
            </button>
          </p>
        </>
      )}
      {open !== null && <AccountPanel id={open} close={() => setOpen(null)} />}
    </>
  );
}
