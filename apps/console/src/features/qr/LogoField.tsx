import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { api, queryClient } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { WorkButton } from "../../kit/WorkButton.tsx";
import { Wrong } from "../../kit/Wrong.tsx";
import { putFile } from "../../kit/api/put-file.ts";

interface LogoFieldProps {
  isUsed: boolean;
  onUse: (isUsed: boolean) => void;
}

/** The logo of the account: chosen here, and used in this code or not. */
export function LogoField({ isUsed, onUse }: LogoFieldProps) {
  const { qr } = useStrings();
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const stored = useQuery(api.links.qrLogo.queryOptions({}));
  const refresh = () => queryClient.invalidateQueries(api.links.qrLogo.queryFilter());
  const upload = useMutation({
    async mutationFn(file: File) {
      await putFile("/v1/me/qr-logo", file);
      await refresh();
      onUse(true);
    },
  });
  const remove = useMutation(api.links.deleteQrLogo.mutationOptions({ onSuccess: refresh }));
  const hasLogo = Boolean(stored.data?.logo);
  const error = upload.error ?? (remove.error as Error | null);
  return (
    <fieldset>
      <legend>{qr.logo}</legend>
      {hasLogo && (
        <label className="check">
          <input type="checkbox" checked={isUsed} onChange={({ target }) => onUse(target.checked)} />
          {qr.useLogo}
        </label>
      )}
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
        <WorkButton
          className="button secondary"
          ref={chooser}
          isAtWork={upload.isPending}
          onClick={() => input.current?.click()}
        >
          {hasLogo ? qr.otherLogo : qr.chooseLogo}
        </WorkButton>
        {hasLogo && (
          <button
            type="button"
            className="text-button"
            onClick={() => {
              onUse(false); // first, so that no code asks for a logo that is gone
              remove.mutate({});
              chooser.current?.focus();
            }}
          >
            {qr.removeLogo}
          </button>
        )}
      </div>
      <Wrong>{error?.message}</Wrong>
      <p className="note">{qr.logoHint}</p>
    </fieldset>
  );
}
