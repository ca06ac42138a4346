import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { Select } from "../../kit/Choices.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { type Delivery, shortName, type Webhook } from "./webhook.ts";
import { Button } from "../../kit/Button.tsx";
import { Pager } from "../../kit/Pager.tsx";

interface DeliveriesProps {
  value: Webhook;
  /** Whether the plan includes webhooks */
  isIncluded: boolean;
  close: () => void;
}

/** What was sent to a webhook and what it answered, with a test, and what can be sent again. */
export function Deliveries({ value, isIncluded, close }: DeliveriesProps) {
  const { webhooks: words } = useStrings();
  const [page, setPage] = useState(1);
  const { id } = value;
  const deliveries = useQuery(
    api.webhooks.deliveries.queryOptions(
      { id, page },
      { placeholderData: keepPreviousData, refetchInterval: 5000 },
    ),
  );
  return (
    <Overlay title={words.deliveriesOf(shortName(value.url))} close={close} shape="panel">
      <div className="form">
        {isIncluded && <Sending value={value} />}
        <Loaded query={deliveries}>
          {({ data, meta }) => (
            <>
              {data.length === 0 && <p className="soft">{words.noDeliveries}</p>}
              <ol className="rows deliveries">
                {data.map((delivery) => (
                  <DeliveryRow key={delivery.id} value={delivery} />
                ))}
              </ol>
              <Pager label={words.pages} page={page} pages={meta.total_pages}>
                {(to, text) => <Button onClick={() => setPage(to)}>{text}</Button>}
              </Pager>
            </>
          )}
        </Loaded>
      </div>
    </Overlay>
  );
}

const spans = [1, 24, 72, 168] as const;
const hourMs = 3_600_000;

function Sending({ value: { id, active } }: { value: Webhook }) {
  const { webhooks: words } = useStrings();
  const [hours, setHours] = useState<(typeof spans)[number]>(1);
  const test = useMutation(api.webhooks.test.mutationOptions());
  const replay = useMutation(
    api.webhooks.replay.mutationOptions({
      onSuccess: ({ events }) => say(words.replayed(events)),
    }),
  );
  const refusal = refusalOf(test.error ?? replay.error);
  return (
    <div className="sending">
      <div className="line">
        <Button isAtWork={test.isPending} onClick={() => test.mutate({ id })}>
          {test.isPending ? words.testing : words.test}
        </Button>
        {test.data && (
          <span role="status" className={test.data.ok ? "note" : "note wrong"}>
            {test.data.status === null ? test.data.failure : words.answered(test.data.status)}
          </span>
        )}
      </div>
      {active && (
        <div className="line">
          <Button
            isAtWork={replay.isPending}
            onClick={() => replay.mutate({ id, from: new Date(Date.now() - hours * hourMs).toISOString() })}
          >
            {words.replay}
          </Button>
          <Select
            aria-label={words.replaySpan}
            value={hours}
            values={spans}
            textOf={(each) => words.spans[each]}
            onChange={setHours}
          />
        </div>
      )}
      <Wrong>{refusal}</Wrong>
    </div>
  );
}

function DeliveryRow({ value }: { value: Delivery }) {
  const { webhooks: words } = useStrings();
  const { event, ok, status, at, attempt, duration_ms, failure, answer } = value;
  return (
    <li>
      <div>
        <p>
          <span className={ok ? "answer-ok" : "answer-bad"}>{status ?? words.noAnswer}</span>{" "}
          {event === "webhook.test" ? words.testEvent : words.events[event]}
          {attempt > 1 && <span className="soft"> · {words.attempt(attempt)}</span>}
        </p>
        <p className="note">
          <Ago at={at} /> · {words.took(duration_ms)}
        </p>
        {failure && <p className="note wrong">{failure}</p>}
        {answer && (
          <details>
            <summary className="note">{words.answer}</summary>
            <pre dir="ltr">{answer}</pre>
          </details>
        )}
      </div>
    </li>
  );
}
