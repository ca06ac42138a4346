import { useState } from "react";
import { Overlay } from "../../kit/Overlay.tsx";
import { useStrings } from "../../words/strings.tsx";
import { TagsField } from "../tags/TagsField.tsx";

export interface Retagging {
  add_tags: string[];
  remove_tags: string[];
}

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
    <Overlay title={words.change(count)} close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isEmpty) setMissing(true);
          else save({ add_tags: [...added], remove_tags: [...removed] });
        }}
      >
        <TagsField
          label={words.add}
          value={added}
          onChange={setAdded}
          error={isMissing && isEmpty ? words.noneChosen : undefined}
          autoFocus
        />
        <TagsField label={words.takeOff} value={removed} onChange={setRemoved} hint={words.takeOffHint} />
        <footer>
          <button type="submit" className="button">
            {words.save}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
