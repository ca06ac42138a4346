import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../../kit/api/account.ts";
import { api, queryClient, refusalOf } from "../../../kit/api/api.ts";
import { addPasskey, usePasskeysWork } from "../../../kit/api/passkeys.ts";
import { say } from "../../../kit/toasts.tsx";
import { Button, MainButton } from "../../../kit/Button.tsx";
import { Wrong } from "../../../kit/Field.tsx";
import { useStrings } from "../../../words/strings.tsx";
import "./first-steps.css";

/** Offers a passkey to a person who can only sign in with one-time links, until it is made or dismissed. */
export function PasskeyOffer() {
  const account = useMe().data?.id;
  const work = usePasskeysWork();
  return account !== undefined && work ? <OfferTo account={account} /> : null;
}

function OfferTo({ account }: { account: string }) {
  const { firstSteps, settings } = useStrings();
  const key = `terse.passkey-offer.${account}`;
  const [isOpen, setOpen] = useState(() => localStorage.getItem(key) === null);
  const passkeys = useQuery(api.passkeys.list.queryOptions(undefined, { enabled: isOpen }));
  const identities = useQuery(api.identities.list.queryOptions(undefined, { enabled: isOpen }));
  const end = () => {
    localStorage.setItem(key, "done");
    setOpen(false);
  };
  const add = useMutation({
    mutationFn: addPasskey,
    async onSuccess({ name }) {
      end();
      await queryClient.invalidateQueries();
      say(settings.passkeyAdded(name));
    },
  });
  if (!isOpen || passkeys.data?.length !== 0 || identities.data?.length !== 0) return null;
  return (
    <section className="passkey-offer" aria-label={firstSteps.passkeyTitle}>
      <div>
        <h2>{firstSteps.passkeyTitle}</h2>
        <p>{firstSteps.passkeyHint}</p>
        <Wrong>{add.error && refusalOf(add.error)}</Wrong>
      </div>
      <p className="actions">
        <MainButton isAtWork={add.isPending} onClick={() => add.mutate()}>
          {settings.addPasskey}
        </MainButton>
        <Button onClick={end}>{firstSteps.passkeyDismiss}</Button>
      </p>
    </section>
  );
}
