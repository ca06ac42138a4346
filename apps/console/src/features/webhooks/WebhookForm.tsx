import { Wrong, Field } from "../../kit/Field.tsx";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../kit/api/api.ts";
import { errorsBeside, errorsOf } from "../../kit/issues.ts";
import { useFocusWrong } from "../../kit/focus.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Check, CheckList } from "../../kit/Choices.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { SecretOnce } from "./SecretOnce.tsx";
import { eventNames, type EventName, shortName, type Webhook } from "./webhook.ts";

/** The form for a new webhook, then its secret, once; or for the settings of one that exists. */
export function WebhookForm({ value, close }: { value?: Webhook; close: () => void }) {
  const strings = useStrings();
  const { webhooks: words } = strings;
  const [url, setUrl] = useState(value?.url ?? "");
  const [chosen, setChosen] = useState<ReadonlySet<EventName>>(new Set(value?.events ?? ["link.created"]));
  const [isActive, setIsActive] = useState(value?.active ?? true);
  const create = useMutation(api.webhooks.create.mutationOptions());
  const update = useMutation(
    api.webhooks.update.mutationOptions({
      onSuccess: ({ url: now }) => {
        close();
        say(words.saved(shortName(now)));
      },
    }),
  );
  const failed = create.error ?? update.error;
  const form = useRef<HTMLFormElement>(null);
  useFocusWrong(form, failed);
  if (create.data) return <SecretOnce value={create.data} close={close} />;

  const submit = () => {
    const events = eventNames(words).filter((name) => chosen.has(name));
    if (value) update.mutate({ id: value.id, url, events, active: isActive });
    else create.mutate({ url, events });
  };
  const errors = errorsOf(failed, strings);
  return (
    <DialogForm
      ref={form}
      title={value ? words.editTitle(shortName(value.url)) : words.create}
      close={close}
      action={value ? words.save : words.create}
      submit={submit}
      isPending={create.isPending || update.isPending}
      isDisabled={chosen.size === 0}
    >
      <Field
        label={words.url}
        hint={words.urlHint}
        error={errors["url"]}
        value={url}
        type="url"
        required
        autoComplete="off"
        placeholder="https://"
        maxLength={2000}
        onChange={setUrl}
      />
      <fieldset>
        <legend>{words.told}</legend>
        <CheckList
          names={eventNames(words)}
          meaningOf={(name) => words.events[name]}
          chosen={chosen}
          onChange={setChosen}
        />
      </fieldset>
      {value && (
        <Check checked={isActive} onChange={() => setIsActive(!isActive)}>
          {words.isOn}
        </Check>
      )}
      <Wrong>{errorsBeside(errors, ["url"])}</Wrong>
    </DialogForm>
  );
}
