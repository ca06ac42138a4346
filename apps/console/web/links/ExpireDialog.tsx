import { useState } from "react";
import { viewerZone } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { Field } from "../ui/Field.tsx";
import { Overlay } from "../ui/Overlay.tsx";

interface ExpireDialogProps {
  count: number;
  /** Called with the time as ISO 8601, null for none */
  save: (expiresAt: string | null) => void;
  close: () => void;
}

/** Asks when links expire. */
export function ExpireDialog({ count, save, close }: ExpireDialogProps) {
  const { linkList: words } = useStrings();
  const [time, setTime] = useState("");
  return (
    <Overlay title={words.expireTitle(count)} close={close}>
      <form
        className="builder"
        onSubmit={(event) => {
          event.preventDefault();
          if (time !== "") save(new Date(time).toISOString());
        }}
      >
        <Field
          label={words.expireTime}
          type="datetime-local"
          required
          autoFocus
          value={time}
          onChange={({ target }) => setTime(target.value)}
          hint={words.zone(viewerZone)}
        />
        <footer>
          <button type="button" className="quiet" onClick={() => save(null)}>
            {words.neverExpire}
          </button>
          <button type="submit">{words.expire}</button>
        </footer>
      </form>
    </Overlay>
  );
}
