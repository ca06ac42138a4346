import { statusOf } from "../api.ts";
import { signOut } from "../frame/sign-out.ts";
import { useStrings } from "../strings/strings.tsx";

/** Why something could not be loaded, with a button that tries again. */
export function Problem({ error, retry }: { error: unknown; retry: () => void }) {
  const strings = useStrings();
  const reason = statusOf(error) === null ? strings.errors.unreachable : (error as Error).message;
  return (
    <div className="problem" role="alert">
      <h2>{strings.errors.title}</h2>
      <p>{reason}</p>
      <button type="button" onClick={retry}>
        {strings.errors.retry}
      </button>
      {statusOf(error) === 403 && (
        <button type="button" className="quiet" onClick={() => void signOut()}>
          {strings.frame.signOut}
        </button>
      )}
    </div>
  );
}
