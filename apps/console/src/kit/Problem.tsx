import { requestIdOf, statusOf } from "./api/api.ts";
import { signOut } from "./api/sign-out.ts";
import { useStrings } from "../words/strings.tsx";
import { Button, MainButton } from "./Button.tsx";

/** Why something could not be loaded, with a button that tries again. */
export function Problem({ error, retry }: { error: unknown; retry: () => void }) {
  const { errors, frame } = useStrings();
  const status = statusOf(error);
  const requestId = requestIdOf(error);
  return (
    <div className="problem" role="alert">
      <h2>{errors.title}</h2>
      <p>{status === null ? errors.unreachable : (error as Error).message}</p>
      {requestId && <small>{errors.requestId(requestId)}</small>}
      <MainButton onClick={retry}>{errors.retry}</MainButton>
      {status === 403 && <Button onClick={() => void signOut()}>{frame.signOut}</Button>}
    </div>
  );
}
