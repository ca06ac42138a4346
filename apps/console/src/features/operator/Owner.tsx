import { Link } from "@tanstack/react-router";
import { useStrings } from "../../words/strings.tsx";

/** The account that a link belongs to; a link of nobody has none. */
export function Owner({ account }: { account: { email: string } | null }) {
  const { operator } = useStrings();
  if (account === null) return operator.anonymous;
  return (
    <Link to="/operator" search={{ view: "accounts", q: account.email }}>
      {account.email}
    </Link>
  );
}
