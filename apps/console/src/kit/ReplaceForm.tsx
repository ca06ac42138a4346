import { useState } from "react";
import { useStrings } from "../words/strings.tsx";
import { Overlay } from "./Overlay.tsx";
import { Select } from "./Select.tsx";
import { WorkButton } from "./WorkButton.tsx";
import { Wrong } from "./Wrong.tsx";

/** Hours for which what is replaced goes on working */
const overlaps = [0, 24, 168] as const;

/** Asks how long an old key or secret works beside the one that replaces it. */
export function ReplaceForm({
  words,
  refusal,
  isPending,
  replace,
  close,
}: {
  words: Record<"title" | "meaning" | "label" | "action", string>;
  refusal: string | undefined;
  isPending: boolean;
  replace: (overlapHours: (typeof overlaps)[number]) => void;
  close: () => void;
}) {
  const { settings } = useStrings();
  const [hours, setHours] = useState<(typeof overlaps)[number]>(24);
  return (
    <Overlay title={words.title} close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          replace(hours);
        }}
      >
        <p>{words.meaning}</p>
        <label className="field">
          {words.label}
          <Select
            value={hours}
            values={overlaps}
            textOf={(each) => settings.overlaps[each]}
            onChange={setHours}
          />
        </label>
        <Wrong>{refusal}</Wrong>
        <footer>
          <button type="button" className="button secondary" onClick={close}>
            {settings.cancel}
          </button>
          <WorkButton type="submit" isAtWork={isPending}>
            {words.action}
          </WorkButton>
        </footer>
      </form>
    </Overlay>
  );
}
