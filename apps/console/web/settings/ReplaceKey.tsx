import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../api.ts";
import { useStrings } from "../strings/strings.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { type Key, refreshKeys } from "./key.ts";
import { KeyOnce } from "./KeyOnce.tsx";

const overlaps = [0, 24, 168] as const;

/** Makes a key with the same rights; the old one works for a while longer, until programs have the new one. */
export function ReplaceKey({ value, close }: { value: Key; close: () => void }) {
  const { settings } = useStrings();
  const [hours, setHours] = useState<(typeof overlaps)[number]>(24);
  const replace = useMutation(api.keys.rotate.mutationOptions({ onSuccess: refreshKeys }));
  if (replace.data) return <KeyOnce value={replace.data} close={close} />;
  return (
    <Overlay title={settings.replaceTitle(value.name)} close={close}>
      <form
        className="builder"
        onSubmit={(event) => {
          event.preventDefault();
          replace.mutate({ id: value.id, overlap_hours: hours });
        }}
      >
        <p>{settings.replaceMeans}</p>
        <label className="field">
          {settings.oldKeyWorks}
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
            {settings.replace}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
