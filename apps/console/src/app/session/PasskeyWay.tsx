import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, queryClient } from "../../kit/api/api.ts";
import { stopAsking } from "../../kit/api/again.ts";
import { offerMs, offerPasskeys, signInWithPasskey, usePasskeysWork } from "../../kit/api/passkeys.ts";
import { useHasEmail } from "../../kit/api/providers.ts";
import { MainButton } from "../../kit/Button.tsx";
import { ProviderMark } from "../../kit/ProviderMark.tsx";
import { say } from "../../kit/toasts.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { useStrings } from "../../words/strings.tsx";

interface PasskeyWayProps {
  returnTo: string;
  /** Whether the page stays as it is */
  stays: boolean;
  /** Whether the person is signed in, and only a passkey of the same account will do */
  isAgain: boolean;
}

/** Signs in with a passkey, in this tab. Nothing where passkeys do not work, or if there is none to sign in again with. */
export function PasskeyWay({ returnTo, stays, isAgain }: PasskeyWayProps) {
  const { signIn } = useStrings();
  const work = usePasskeysWork();
  const own = useQuery(api.passkeys.list.queryOptions(undefined, { enabled: isAgain }));
  const onSuccess = async (next: string | null) => {
    if (next === null) return;
    if (!stays || next !== returnTo) return location.assign(next);
    await queryClient.invalidateQueries();
    if (!isAgain) return;
    stopAsking();
    say(signIn.goOn);
  };
  const use = useMutation({ mutationFn: () => signInWithPasskey({ isAgain, returnTo }), onSuccess });
  const offer = useMutation({ mutationFn: () => offerPasskeys(returnTo), onSuccess });
  const isOffered = useHasEmail() && work === true && !isAgain;
  const { mutate } = offer;
  useEffect(() => {
    if (!isOffered) return undefined;
    mutate();
    const timer = setInterval(mutate, offerMs);
    return () => clearInterval(timer);
  }, [isOffered, mutate]);
  if (!work || (isAgain && !own.data?.length)) return null;
  return (
    <div className="ways">
      <MainButton isAtWork={use.isPending} onClick={() => use.mutate()}>
        <ProviderMark provider="passkey" />
        {signIn.withPasskey}
      </MainButton>
      <Wrong>{(use.error ?? offer.error)?.message}</Wrong>
    </div>
  );
}
