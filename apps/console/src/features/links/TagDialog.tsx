import { useState } from "react";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { useStrings } from "../../words/strings.tsx";
import type { Retagging } from "./bulk.ts";
import { TagsField } from "../tags/TagsField.tsx";

interface TagDialogProps {
  count: number;
  save: (retagging: Retagging) => void;
  close: () => void;
}

/** Asks which tags links get, and which they lose. */
export function TagDialog({ count, save, close }: TagDialogProps) {
  const { tags: words } = useStrings();
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const isEmpty = added.length + removed.length === 0;
  const [isMissing, setMissing] = useState(false);
  return (
    <DialogForm
      title={words.change(count)}
      close={close}
      action={words.save}
      submit={() => (isEmpty ? setMissing(true) : save({ add_tags: [...added], remove_tags: [...removed] }))}
    >
      <TagsField
        label={words.add}
        value={added}
        onChange={setAdded}
        error={isMissing && isEmpty ? words.noneChosen : undefined}
        autoFocus
      />
      <TagsField label={words.takeOff} value={removed} onChange={setRemoved} hint={words.takeOffHint} />
    </DialogForm>
  );
}
