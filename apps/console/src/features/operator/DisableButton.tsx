import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { operatorApi } from "./operator-api.ts";
import { ReasonDialog } from "./ReasonDialog.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** Disables a link with a reason, or enables it again. */
export function DisableButton({ id, name, disabled }: { id: string; name: string; disabled: boolean }) {
  const { operator } = useStrings();
  const [asked, setAsked] = useState(false);
  const disable = useMutation(
    operatorApi.disableLink.mutationOptions({
      onSuccess: () => {
        setAsked(false);
        say(operator.disabled(name));
      },
    }),
  );
  const enable = useMutation(
    operatorApi.enableLink.mutationOptions({
      onSuccess: () => say(operator.enabled(name)),
    }),
  );
  return (
    <>
      <TextButton
        isAtWork={enable.isPending}
        onClick={() => (disabled ? enable.mutate({ id }) : setAsked(true))}
      >
        {disabled ? operator.enable : operator.disable}
      </TextButton>
      {asked && (
        <ReasonDialog
          title={operator.disableTitle(name)}
          effect={operator.disableEffect}
          action={operator.disable}
          error={disable.error?.message}
          isPending={disable.isPending}
          submit={(reason) => disable.mutate({ id, reason })}
          close={() => setAsked(false)}
        />
      )}
    </>
  );
}
