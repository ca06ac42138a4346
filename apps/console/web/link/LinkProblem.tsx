import { Link } from "@tanstack/react-router";
import { statusOf } from "../api.ts";
import { LinkHistory } from "../history/LinkHistory.tsx";
import { useStrings } from "../strings/strings.tsx";
import { Problem } from "../ui/Problem.tsx";
import { ScreenTitle } from "../ui/ScreenTitle.tsx";

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
