import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useMay } from "../../kit/api/account.ts";
import { api, refresh } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { ask } from "../../kit/api/fetch.ts";
import { Button, TextButton } from "../../kit/Button.tsx";
import { Check } from "../../kit/Choices.tsx";

interface LogoFieldProps {
  isUsed: boolean;
  onUse: (isUsed: boolean) => void;
}

/** The logo of the account: chosen here, and used in this code or not. */
export function LogoField({ isUsed, onUse }: LogoFieldProps) {
  const { qr } = useStrings();
  const mayChange = useMay("links:write");
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const stored = useQuery(api.links.qrLogo.queryOptions({}));
  const upload = useMutation({
    async mutationFn(file: File) {
      await ask("/v1/me/qr-logo", { method: "PUT", body: file });
      await refresh("links");
      onUse(true);
    },
  });
  const remove = useMutation(api.links.deleteQrLogo.mutationOptions());
  const hasLogo = Boolean(stored.data?.logo);
  const error = upload.error ?? (remove.error as Error | null);
  return (
    <fieldset>
      <legend>{qr.logo}</legend>
      {hasLogo && (
        <Check checked={isUsed} onChange={onUse}>
          {qr.useLogo}
        </Check>
      )}
      {mayChange && (
        <div className="actions">
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            hidden
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) upload.mutate(file);
              target.value = "";
            }}
          />
          <Button ref={chooser} isAtWork={upload.isPending} onClick={() => input.current?.click()}>
            {hasLogo ? qr.otherLogo : qr.chooseLogo}
          </Button>
          {hasLogo && (
            <TextButton
              onClick={() => {
                onUse(false); // first, so that no code asks for a logo that is gone
                remove.mutate({});
                chooser.current?.focus();
              }}
            >
              {qr.removeLogo}
            </TextButton>
          )}
        </div>
      )}
      <Wrong>{error?.message}</Wrong>
      <p className="note">{qr.logoHint}</p>
    </fieldset>
  );
}
