import { useState } from "react";
import { viewerZone } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { Field } from "../ui/Field.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { momentIn } from "../zone.ts";

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
          if (time !== "") save(momentIn(viewerZone, time));
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
