import { useStrings } from "../../words/strings.tsx";
import { CopiedText } from "../../kit/CopiedText.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { type NewWebhook, shortName } from "./webhook.ts";

/** The secret of a webhook, which nothing shows a second time. */
export function SecretOnce({ value, close }: { value: NewWebhook; close: () => void }) {
  const { settings, webhooks: words } = useStrings();
  return (
    <Overlay title={words.secretTitle(shortName(value.url))} close={close} isDismissable={false}>
      <div className="form">
        <p role="status">{words.secretOnce}</p>
        <CopiedText value={value.secret} label={words.secret} action={words.copySecret} autoFocus />
        <p className="note">{words.secretUse}</p>
        <footer>
          <button type="button" className="button" onClick={close}>
            {settings.done}
          </button>
        </footer>
      </div>
    </Overlay>
  );
}
