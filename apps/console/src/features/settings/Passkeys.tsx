import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWays } from "../../kit/api/account.ts";
import { api, queryClient, refusalOf } from "../../kit/api/api.ts";
import { addPasskey, usePasskeysWork } from "../../kit/api/passkeys.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Button, TextButton } from "../../kit/Button.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Field, Wrong } from "../../kit/Field.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";

interface Passkey {
  id: string;
  name: string;
}

/** The passkeys that sign in: made on this device, named, and removed. */
export function Passkeys() {
  const { settings } = useStrings();
  const work = usePasskeysWork();
  const passkeys = useQuery(api.passkeys.list.queryOptions());
  const ways = useWays();
  const [asked, setAsked] = useState<{ passkey: Passkey; about: "rename" | "remove" } | null>(null);
  const close = () => setAsked(null);
  const add = useMutation({
    mutationFn: addPasskey,
    async onSuccess({ name }) {
      await queryClient.invalidateQueries();
      say(settings.passkeyAdded(name));
    },
  });
  return (
    <Section
      title={settings.passkeys}
      lead={settings.passkeysHint}
      action={
        work && (
          <Button isAtWork={add.isPending} onClick={() => add.mutate()}>
            {settings.addPasskey}
          </Button>
        )
      }
    >
      <Wrong>{add.error && refusalOf(add.error)}</Wrong>
      {work === false && <p className="note">{settings.passkeysNeed}</p>}
      <Loaded query={passkeys}>
        {(all) =>
          all.length === 0 ? (
            <p>{settings.noPasskeys}</p>
          ) : (
            <ul className="rows">
              {all.map(({ id, name, synced, created_at, last_used_at }) => (
                <li key={id}>
                  <div>
                    <p dir="auto">{name}</p>
                    <p className="note">
                      {synced ? settings.isSynced : settings.isOnOneDevice} ·{" "}
                      <Ago at={created_at} say={settings.added} /> ·{" "}
                      {last_used_at ? <Ago at={last_used_at} say={settings.lastSeen} /> : settings.neverUsed}
                    </p>
                  </div>
                  <TextButton
                    aria-label={settings.renamePasskey(name)}
                    onClick={() => setAsked({ passkey: { id, name }, about: "rename" })}
                  >
                    {settings.rename}
                  </TextButton>
                  {ways > 1 && (
                    <TextButton
                      aria-label={settings.unlinkTitle(name)}
                      onClick={() => setAsked({ passkey: { id, name }, about: "remove" })}
                    >
                      {settings.unlink}
                    </TextButton>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked?.about === "rename" && <Rename passkey={asked.passkey} close={close} />}
      {asked?.about === "remove" && <Remove passkey={asked.passkey} close={close} />}
    </Section>
  );
}

interface DialogProps {
  passkey: Passkey;
  close: () => void;
}

function Rename({ passkey, close }: DialogProps) {
  const { settings } = useStrings();
  const [name, setName] = useState(passkey.name);
  const rename = useMutation(
    api.passkeys.rename.mutationOptions({
      async onSuccess() {
        close();
        await queryClient.invalidateQueries(api.passkeys.pathFilter());
      },
    }),
  );
  return (
    <DialogForm
      title={settings.renamePasskey(passkey.name)}
      close={close}
      action={settings.rename}
      submit={() => rename.mutate({ id: passkey.id, name })}
      work={rename}
      isDisabled={name.trim() === ""}
    >
      <Field label={settings.passkeyName} value={name} isName autoFocus onChange={setName} />
    </DialogForm>
  );
}

function Remove({ passkey, close }: DialogProps) {
  const { settings } = useStrings();
  const remove = useMutation(
    api.passkeys.remove.mutationOptions({
      async onSuccess() {
        close();
        await queryClient.invalidateQueries();
        say(settings.unlinked);
      },
    }),
  );
  return (
    <Confirm
      title={settings.unlinkTitle(passkey.name)}
      action={settings.unlink}
      isPending={remove.isPending}
      error={refusalOf(remove.error)}
      close={close}
      onConfirm={() => remove.mutate({ id: passkey.id })}
    >
      <p>{settings.removePasskeyMeans}</p>
    </Confirm>
  );
}
