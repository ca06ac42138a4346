import { useMutation } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import { ReplaceForm } from "../../kit/ReplaceForm.tsx";
import { useStrings } from "../../words/strings.tsx";
import { SecretOnce } from "./SecretOnce.tsx";
import { shortName, type Webhook } from "./webhook.ts";

/** Makes a new secret; deliveries are signed with the old one too, until the receiver has the new one. */
export function ReplaceSecret({ value, close }: { value: Webhook; close: () => void }) {
  const { webhooks: words } = useStrings();
  const replace = useMutation(api.webhooks.rotate.mutationOptions());
  if (replace.data) return <SecretOnce value={replace.data} close={close} />;
  return (
    <ReplaceForm
      words={{
        title: words.replaceTitle(shortName(value.url)),
        meaning: words.replaceMeans,
        label: words.oldSecretSigns,
        action: words.replace,
      }}
      work={replace}
      replace={(overlap_hours) => replace.mutate({ id: value.id, overlap_hours })}
      close={close}
    />
  );
}
