import { useId, useRef, useState } from "react";
import { viewerZone } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { TimeField } from "../../kit/TimeField.tsx";
import { Button } from "../../kit/Button.tsx";

interface ExpireDialogProps {
  count: number;
  /** Called with the time as ISO 8601, null for none */
  save: (expiresAt: string | null) => void;
  close: () => void;
}

/** Asks when links expire. */
export function ExpireDialog({ count, save, close }: ExpireDialogProps) {
  const { linkList: words } = useStrings();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [time, setTime] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  return (
    <DialogForm
      ref={form}
      title={words.expireTitle(count)}
      close={close}
      action={words.expire}
      submit={() => {
        if (time) return save(time);
        setMissing(true);
        form.current?.querySelector<HTMLElement>("[role=spinbutton]")?.focus();
      }}
      other={<Button onClick={() => save(null)}>{words.neverExpire}</Button>}
    >
      <TimeField
        label={words.expireTime}
        value={time}
        onChange={(next) => {
          setTime(next);
          setMissing(false);
        }}
        minute="last"
        describedBy={id}
        isInvalid={isMissing}
        autoFocus
      />
      <p id={id} className={isMissing ? "wrong" : "note"}>
        {isMissing ? words.expireTimeMissing : words.zone(viewerZone)}
      </p>
    </DialogForm>
  );
}
