import { useQuery } from "@tanstack/react-query";
import { Ago } from "../../kit/Ago.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Empty } from "../../kit/Screen.tsx";
import { Listing } from "../../kit/Table.tsx";
import { useStrings } from "../../words/strings.tsx";
import { operatorApi } from "./operator-api.ts";

/** The newest mails with their texts: which wait or were refused, and what would be sent if a server were set. */
export function Mails() {
  const { operator } = useStrings();
  const mails = useQuery(operatorApi.mails.queryOptions(undefined, { refetchInterval: 10_000 }));
  return (
    <Loaded query={mails} height="middle">
      {({ is_set, mails: all }) => (
        <>
          {!is_set && <p className="note">{operator.noMailServer}</p>}
          {all.length === 0 ? (
            <Empty title={operator.noMails} hint={operator.noMailsHint} />
          ) : (
            <Listing columns={[operator.queued, operator.email, operator.mail, operator.state]}>
              {all.map((mail) => (
                <tr key={mail.id}>
                  <td>
                    <Ago at={mail.created_at} />
                  </td>
                  <td>{mail.address}</td>
                  <td>
                    <details>
                      <summary dir="auto">{mail.subject}</summary>
                      <pre className="mail-text" dir="auto">
                        {mail.text}
                      </pre>
                    </details>
                  </td>
                  <td>
                    <span className={mail.status === "failed" ? "off" : ""}>
                      {operator.mailStates[mail.status]}
                    </span>
                    {mail.problem && <small lang="en">{mail.problem}</small>}
                  </td>
                </tr>
              ))}
            </Listing>
          )}
        </>
      )}
    </Loaded>
  );
}
