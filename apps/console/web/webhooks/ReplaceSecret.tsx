import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../api.ts";
import { useStrings } from "../strings/strings.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { SecretOnce } from "./SecretOnce.tsx";
import { refreshWebhooks, shortName, type Webhook } from "./webhook.ts";

const overlaps = [0, 24, 168] as const;

/** Makes a new secret; deliveries are signed with the old one too, until the receiver has the new one. */
export function ReplaceSecret({ value, close }: { value: Webhook; close: () => void }) {
  const { settings, webhooks: words } = useStrings();
  const [hours, setHours] = useState<(typeof overlaps)[number]>(24);
  const replace = useMutation(api.webhooks.rotate.mutationOptions({ onSuccess: refreshWebhooks }));
  if (replace.data) return <SecretOnce value={replace.data} close={close} />;
  return (
    <Overlay title={words.replaceTitle(shortName(value.url))} close={close}>
      <form
        className="builder"
        onSubmit={(event) => {
          event.preventDefault();
          replace.mutate({ id: value.id, overlap_hours: hours });
        }}
      >
        <p>{words.replaceMeans}</p>
        <label className="field">
          {words.oldSecretSigns}
          <select
            value={hours}
            onChange={(event) => setHours(overlaps.find((each) => String(each) === event.target.value) ?? 24)}
          >
            {overlaps.map((each) => (
              <option key={each} value={each}>
                {settings.overlaps[each]}
              </option>
            ))}
          </select>
        </label>
        {refusalOf(replace.error) && (
          <p className="wrong" role="alert">
            {refusalOf(replace.error)}
          </p>
        )}
        <footer>
          <button type="button" className="quiet" onClick={close}>
            {settings.cancel}
          </button>
          <button type="submit" disabled={replace.isPending}>
            {words.replace}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
