import { planNames } from "@terse/core/browser";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { formatCount, formatExact } from "../../kit/format/format.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { SelectField } from "../../kit/Choices.tsx";
import { useFocusNext } from "../../kit/focus.ts";
import { Wrong } from "../../kit/Field.tsx";
import { operatorApi } from "./operator-api.ts";
import { ReasonForm } from "./ReasonDialog.tsx";
import { Button } from "../../kit/Button.tsx";

/** What a workspace has, its plan, and its suspension. With their own, a person is suspended. */
export function WorkspacePanel({ id, close }: { id: string; close: () => void }) {
  const { operator, errors } = useStrings();
  const [isAsked, setIsAsked] = useState(false);
  const details = useQuery(operatorApi.workspace.queryOptions({ id }));
  const panel = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(panel);
  const stopAsking = () => {
    setIsAsked(false);
    focusNext("footer button");
  };
  const done =
    (text: string, then = () => {}) =>
    () => {
      then();
      say(text);
    };
  const { personal = false, name = "", owner } = details.data ?? {};
  const title = personal ? (owner ?? name) : name;
  const setPlan = useMutation(
    operatorApi.setPlan.mutationOptions({
      scope: { id: "plan" }, // one after the other, so that the last choice is what stays
      onSuccess: done(operator.planChanged(title)),
    }),
  );
  const suspend = useMutation(
    operatorApi.suspend.mutationOptions({ onSuccess: done(operator.suspendedNow(title), stopAsking) }),
  );
  const resume = useMutation(
    operatorApi.resume.mutationOptions({ onSuccess: done(operator.resumedNow(title), stopAsking) }),
  );
  const failed = setPlan.error ?? resume.error;
  return (
    <Overlay shape="panel" title={title} close={close}>
      {details.error && <Problem error={details.error} retry={() => void details.refetch()} />}
      {details.data && (
        <div ref={panel} className="form">
          <dl className="pairs">
            {personal ? (
              <>
                <dt>{operator.name}</dt>
                <dd dir="auto">{name}</dd>
              </>
            ) : (
              <>
                <dt>{operator.owner}</dt>
                <dd>{owner}</dd>
              </>
            )}
            <dt>{operator.members}</dt>
            <dd>{formatCount(details.data.members)}</dd>
            <dt>{operator.since}</dt>
            <dd>{formatExact(details.data.created_at)}</dd>
            <dt>{operator.links}</dt>
            <dd>
              <Link to="/operator" search={{ view: "links", q: id }} onClick={close}>
                {formatCount(details.data.links)}
              </Link>
              {details.data.disabled_links > 0 && ` · ${operator.disabledLinks(details.data.disabled_links)}`}
            </dd>
            <dt>{operator.buckets}</dt>
            <dd>{formatCount(details.data.buckets)}</dd>
            <dt>{operator.domains}</dt>
            <dd>{details.data.domains.join(", ") || "–"}</dd>
            <dt>{operator.keys}</dt>
            <dd>{formatCount(details.data.keys)}</dd>
            {personal && (
              <>
                <dt>{operator.sessions}</dt>
                <dd>{formatCount(details.data.sessions)}</dd>
              </>
            )}
            <dt>{operator.openReports}</dt>
            <dd>{formatCount(details.data.open_reports)}</dd>
          </dl>
          <SelectField
            label={operator.plan}
            value={details.data.plan}
            values={planNames}
            onChange={(plan) => setPlan.mutate({ id, plan })}
          />
          {details.data.suspended_at !== null && (
            <p className="off">
              {operator.suspended}: <span dir="auto">{details.data.suspended_reason}</span>
            </p>
          )}
          {failed && <Wrong>{failed.message || errors.title}</Wrong>}
          {isAsked ? (
            <ReasonForm
              effect={personal ? operator.suspendEffect : operator.suspendWorkspaceEffect}
              action={operator.suspend}
              error={suspend.error?.message}
              isPending={suspend.isPending}
              submit={(reason) => suspend.mutate({ id, reason })}
              close={stopAsking}
            />
          ) : (
            <footer>
              {details.data.suspended_at === null ? (
                <Button onClick={() => setIsAsked(true)}>{operator.suspend}</Button>
              ) : (
                <Button isAtWork={resume.isPending} onClick={() => resume.mutate({ id })}>
                  {operator.resume}
                </Button>
              )}
            </footer>
          )}
        </div>
      )}
    </Overlay>
  );
}
