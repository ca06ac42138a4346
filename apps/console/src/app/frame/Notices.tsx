import { useEffect, useState, useSyncExternalStore } from "react";
import { queryClient, requestIdOf, statusOf } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { useNewVersion } from "./version.ts";
import { TextButton } from "../../kit/Button.tsx";

/** Milliseconds after which queries that failed are asked again */
const askAgain = 10_000;

/** What holds for every screen: no connection, a service that fails, a new version. */
export function Notices() {
  const { frame, errors } = useStrings();
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  const trouble = useTrouble();
  const isOutdated = useNewVersion();
  const [isPutOff, putOff] = useState(false);
  const requestId = requestIdOf(trouble);
  return (
    <div className="notices" role="status">
      {!isOnline && <p className="notice bad sheet line">{frame.offline}</p>}
      {isOnline && trouble !== null && (
        <p className="notice bad sheet line">
          <span>
            {statusOf(trouble) === null ? errors.unreachable : errors.failing} {errors.outdated}
            {requestId && <small> {errors.requestId(requestId)}</small>}
          </span>
          <TextButton onClick={askAgainNow}>{errors.retry}</TextButton>
        </p>
      )}
      {isOutdated && !isPutOff && (
        <p className="notice sheet line">
          <span>{frame.newVersion}</span>
          <TextButton onClick={() => location.reload()}>{frame.reload}</TextButton>
          <TextButton onClick={() => putOff(true)}>{frame.later}</TextButton>
        </p>
      )}
    </div>
  );
}

function subscribeToConnection(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

const cache = queryClient.getQueryCache();

const isTrouble = (error: unknown) => error !== null && (statusOf(error) ?? 500) >= 500;

const failing = () => cache.findAll({ type: "active" }).filter(({ state }) => isTrouble(state.error));
const askAgainNow = () =>
  void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => isTrouble(state.error) });

/** Why something that is on the screen could not be brought up to date; null if everything could. Asks again by itself. */
function useTrouble(): unknown {
  const isFailing = useCache(() => failing().length > 0);
  useEffect(() => {
    if (!isFailing) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && askAgainNow(), askAgain);
    return () => clearInterval(timer);
  }, [isFailing]);
  return useCache(() => failing().find(({ state }) => state.data !== undefined)?.state.error ?? null);
}

const useCache = <Value,>(read: () => Value): Value =>
  useSyncExternalStore((changed) => cache.subscribe(changed), read);
