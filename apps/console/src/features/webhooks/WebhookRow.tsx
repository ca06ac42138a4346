import { Ago } from "../../kit/Ago.tsx";
import { useStrings } from "../../words/strings.tsx";
import { shortName, type Webhook } from "./webhook.ts";
import { TextButton } from "../../kit/Button.tsx";

export type WebhookAction = "deliveries" | "edit" | "replace" | "delete";

interface WebhookRowProps {
  value: Webhook;
  /** Whether the plan includes webhooks; without it, they can only be looked at and deleted */
  isIncluded: boolean;
  ask: (to: WebhookAction) => void;
}

/** A webhook: where it sends to, what it is told, and whether that works. */
export function WebhookRow({ value, isIncluded, ask }: WebhookRowProps) {
  const { webhooks: words } = useStrings();
  const name = shortName(value.url);
  const actions: WebhookAction[] = isIncluded
    ? ["deliveries", "edit", "replace", "delete"]
    : ["deliveries", "delete"];
  return (
    <li>
      <div>
        <p className="hook-name" dir="ltr" title={value.url}>
          <b>{name}</b>
        </p>
        <p className="note">
          <State value={value} />
          {" · "}
          {value.events.map((event) => words.events[event]).join(", ")}
        </p>
        {value.inactive_reason && <p className="note wrong">{value.inactive_reason}</p>}
      </div>
      <span className="moves">
        {actions.map((action) => (
          <TextButton key={action} aria-label={`${words[action]}: ${name}`} onClick={() => ask(action)}>
            {words[action]}
          </TextButton>
        ))}
      </span>
    </li>
  );
}

function State({ value: { active, inactive_reason, failing_since } }: { value: Webhook }) {
  const { webhooks: words } = useStrings();
  if (!active) return <span className="off">{inactive_reason ? words.switchedOff : words.off}</span>;
  if (!failing_since) return words.on;
  return (
    <span className="off">
      <Ago at={failing_since} say={words.failing} />
    </span>
  );
}
