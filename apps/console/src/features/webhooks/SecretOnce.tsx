import { useStrings } from "../../words/strings.tsx";
import { SecretDialog } from "../../kit/SecretDialog.tsx";
import { type NewWebhook, shortName } from "./webhook.ts";

/** The secret of a webhook, which nothing shows a second time. */
export function SecretOnce({ value, close }: { value: NewWebhook; close: () => void }) {
  const { webhooks: words } = useStrings();
  return (
    <SecretDialog
      title={words.secretTitle(shortName(value.url))}
      lead={words.secretOnce}
      secret={value.secret}
      label={words.secret}
      copy={words.copySecret}
      close={close}
    >
      <p className="note">{words.secretUse}</p>
    </SecretDialog>
  );
}
