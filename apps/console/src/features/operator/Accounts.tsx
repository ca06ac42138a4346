import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Day } from "../../kit/Ago.tsx";
import { Listing } from "../../kit/Table.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { AccountPanel } from "./AccountPanel.tsx";
import { operatorApi } from "./operator-api.ts";
import { SearchForm } from "./SearchForm.tsx";
import { Button, TextButton } from "../../kit/Button.tsx";

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
      <Loaded query={list}>
        {({ data, meta }) => (
          <>
            <Listing columns={[operator.email, operator.plan, operator.state, operator.since]}>
              {data.map((account) => (
                <tr key={account.id}>
                  <td>
                    <TextButton onClick={() => setOpen(account.id)}>{account.email}</TextButton>
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
                  <td>
                    <Day at={account.created_at} />
                  </td>
                </tr>
              ))}
            </Listing>
            <p className="pager">
              <span role="status">{operator.totalAccounts(meta.total)}</span>
              <Button disabled={page <= 1} onClick={() => goTo(page - 1)}>
                {operator.newer}
              </Button>
              <Button disabled={page >= meta.total_pages} onClick={() => goTo(page + 1)}>
                {operator.older}
              </Button>
            </p>
          </>
        )}
      </Loaded>
      {open !== null && <AccountPanel id={open} close={() => setOpen(null)} />}
    </>
  );
}
