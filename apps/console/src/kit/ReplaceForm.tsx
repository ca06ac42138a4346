import { useState } from "react";
import { useStrings } from "../words/strings.tsx";
import { DialogForm } from "./DialogForm.tsx";
import { SelectField } from "./Choices.tsx";

/** Hours for which what is replaced goes on working */
const overlaps = [0, 24, 168] as const;

/** Asks how long an old key or secret works beside the one that replaces it. */
export function ReplaceForm({
  words,
  work,
  replace,
  close,
}: {
  words: Record<"title" | "meaning" | "label" | "action", string>;
  work: { isPending: boolean; error: unknown };
  replace: (overlapHours: (typeof overlaps)[number]) => void;
  close: () => void;
}) {
  const { settings } = useStrings();
  const [hours, setHours] = useState<(typeof overlaps)[number]>(24);
  return (
    <DialogForm
      title={words.title}
      close={close}
      action={words.action}
      submit={() => replace(hours)}
      work={work}
    >
      <p>{words.meaning}</p>
      <SelectField
        label={words.label}
        value={hours}
        values={overlaps}
        textOf={(each) => settings.overlaps[each]}
        onChange={setHours}
      />
    </DialogForm>
  );
}
