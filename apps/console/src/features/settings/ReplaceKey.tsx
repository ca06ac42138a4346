import { useMutation } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import type { Key } from "./key.ts";
import { KeyOnce } from "./KeyOnce.tsx";
import { ReplaceForm } from "../../kit/ReplaceForm.tsx";

/** Makes a key with the same rights; the old one works for a while longer, until programs have the new one. */
export function ReplaceKey({ value, close }: { value: Key; close: () => void }) {
  const { settings } = useStrings();
  const replace = useMutation(api.keys.rotate.mutationOptions());
  if (replace.data) return <KeyOnce value={replace.data} close={close} />;
  return (
    <ReplaceForm
      words={{
        title: settings.replaceTitle(value.name),
        meaning: settings.replaceMeans,
        label: settings.oldKeyWorks,
        action: settings.replace,
      }}
      work={replace}
      replace={(overlap_hours) => replace.mutate({ id: value.id, overlap_hours })}
      close={close}
    />
  );
}
