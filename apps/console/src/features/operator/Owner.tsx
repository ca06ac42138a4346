import { Link } from "@tanstack/react-router";
import { useStrings } from "../../words/strings.tsx";

/** The person who owns something; a link of nobody has none. */
export function Owner({ email }: { email: string | null | undefined }) {
  const { operator } = useStrings();
  if (!email) return operator.anonymous;
  return (
    <Link to="/operator" search={{ view: "people", q: email }}>
      {email}
    </Link>
  );
}
