import { Link } from "@tanstack/react-router";
import { statusOf } from "../../kit/api/api.ts";
import { LinkHistory } from "./LinkHistory.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { ScreenTitle } from "../../kit/ScreenTitle.tsx";

/** A link that could not be loaded: it does not exist, or the service failed. A deleted one can be brought back. */
export function LinkProblem({ id, error, retry }: { id: string; error: unknown; retry: () => void }) {
  const { link } = useStrings();
  if (statusOf(error) !== 404) return <Problem error={error} retry={retry} />;
  return (
    <>
      <div className="empty">
        <ScreenTitle>{link.missing}</ScreenTitle>
        <p>{link.missingHint}</p>
        <Link to="/">{link.back}</Link>
      </div>
      <LinkHistory id={id} />
    </>
  );
}
