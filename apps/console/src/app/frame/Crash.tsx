import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { requestIdOf } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { isOutdated } from "./version.ts";
import { ScreenTitle } from "../../kit/Screen.tsx";
import { Button, MainButton } from "../../kit/Button.tsx";

/** Stands for a screen that could not be shown: a fault of the console, or a part that the service no longer has. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const { errors, frame } = useStrings();
  const [isOld, setOld] = useState(false);
  useEffect(() => void isOutdated().then(setOld), []);
  const requestId = requestIdOf(error);
  return (
    <div className="problem" role="alert">
      <h2>{isOld ? frame.newVersion : errors.crashed}</h2>
      {!isOld && <p>{errors.crashedHint}</p>}
      {!isOld && <code>{error instanceof Error ? error.message : String(error)}</code>}
      {requestId && <small>{errors.requestId(requestId)}</small>}
      <MainButton onClick={() => location.reload()}>{frame.reload}</MainButton>
      {!isOld && <Button onClick={reset}>{errors.retry}</Button>}
    </div>
  );
}

/** Stands for a screen that does not exist. */
export function NotFound() {
  const { errors } = useStrings();
  return (
    <div className="empty">
      <ScreenTitle>{errors.noScreen}</ScreenTitle>
    </div>
  );
}
