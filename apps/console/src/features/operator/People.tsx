import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ago, Day } from "../../kit/Ago.tsx";
import { TextButton } from "../../kit/Button.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Found, useListInput } from "./Found.tsx";
import { operatorApi } from "./operator-api.ts";

/** All people, newest first: their workspaces, and how they sign in. Their own workspace opens in a panel. */
export function People() {
  const { operator, people } = useStrings();
  const query = useQuery(
    operatorApi.people.queryOptions(useListInput(), { placeholderData: keepPreviousData }),
  );
  const wayOf = (way: string) => (way === "passkey" ? operator.passkey : way);
  return (
    <Found
      view="people"
      query={query}
      label={operator.findPeople}
      total={operator.totalPeople}
      columns={[operator.email, operator.workspaces, operator.signsInWith, operator.state, operator.since]}
    >
      {(person, open) => (
        <tr key={person.id}>
          <td>
            <TextButton onClick={open}>{person.email}</TextButton>
            <small dir="auto">{person.name}</small>
          </td>
          <td>
            {person.workspaces.length === 0 && operator.onlyOwn}
            {person.workspaces.map(({ id, name, role }) => (
              <div key={id}>
                <Link to="/operator" search={{ view: "workspaces", q: id }} dir="auto">
                  {name}
                </Link>{" "}
                <span className="soft">{people.roles[role]}</span>
              </div>
            ))}
          </td>
          <td>
            {person.ways.map(wayOf).join(", ") || "–"}
            {person.last_seen_at && (
              <small>
                <Ago at={person.last_seen_at} say={people.lastSeen} />
              </small>
            )}
          </td>
          <td className={person.suspended_at ? "off" : ""}>
            {[
              person.suspended_at && operator.suspended,
              person.deletes_at && operator.leaving,
              person.is_operator && operator.isOperator,
              !person.email_verified && operator.unproven,
            ]
              .filter(Boolean)
              .join(" · ")}
          </td>
          <td>
            <Day at={person.created_at} />
          </td>
        </tr>
      )}
    </Found>
  );
}
