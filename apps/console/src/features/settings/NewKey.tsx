import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../kit/api/api.ts";
import { viewerZone } from "../../kit/format/format.ts";
import { dayIn } from "../../kit/format/days.ts";
import { useStrings } from "../../words/strings.tsx";
import { Check, CheckList, SelectField } from "../../kit/Choices.tsx";
import { DayField } from "../../kit/fields.ts";
import { Field } from "../../kit/Field.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { momentIn } from "../../kit/format/zone.ts";
import type { Scope } from "./key.ts";
import { KeyOnce } from "./KeyOnce.tsx";

const lifetimes = ["never", "30", "90", "365", "date"] as const;
const dayMs = 86_400_000;

/** The last moment of a day of the viewer's, or that many days from now; null for never. */
function expiryOf(lifetime: (typeof lifetimes)[number], date: string): string | null {
  if (lifetime === "never") return null;
  if (lifetime === "date") return momentIn(viewerZone, `${date}T23:59:59.999`);
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString();
}

/** The form for a new key, then the key itself, once. */
export function NewKey({ close }: { close: () => void }) {
  const { settings, analytics } = useStrings();
  const [isMissing, setMissing] = useState(false);
  const [name, setName] = useState("");
  const [isLimited, setIsLimited] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(["links:read"]));
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>("90");
  const [date, setDate] = useState("");
  const create = useMutation(api.keys.create.mutationOptions());
  if (create.data) return <KeyOnce value={create.data} close={close} />;

  const submit = () => {
    if (lifetime === "date" && date === "") return setMissing(true);
    const expires_at = expiryOf(lifetime, date);
    create.mutate({
      ...(name.trim() && { name: name.trim() }),
      ...(isLimited && { scopes: [...chosen] }),
      ...(expires_at !== null && { expires_at }),
    });
  };
  return (
    <DialogForm
      title={settings.createKey}
      close={close}
      submit={submit}
      work={create}
      isDisabled={isLimited && chosen.size === 0}
    >
      <Field
        label={settings.keyName}
        hint={settings.keyNameHint}
        value={name}
        isName
        autoFocus
        onChange={setName}
      />
      <fieldset>
        <legend>{settings.keyMay}</legend>
        <Check type="radio" name="may" checked={!isLimited} onChange={() => setIsLimited(false)}>
          {settings.allScopes}
        </Check>
        <Check type="radio" name="may" checked={isLimited} onChange={() => setIsLimited(true)}>
          {settings.someScopes}
        </Check>
        {isLimited && (
          <div className="scopes">
            <CheckList
              names={Object.keys(settings.scopes) as Scope[]}
              meaningOf={(scope) => settings.scopes[scope]}
              chosen={chosen}
              onChange={setChosen}
            />
          </div>
        )}
      </fieldset>
      <SelectField
        label={settings.keyExpires}
        value={lifetime}
        values={lifetimes}
        textOf={(each) => settings.lifetimes[each]}
        onChange={setLifetime}
      />
      {lifetime === "date" && (
        <DayField
          label={settings.lastDay}
          min={dayIn(viewerZone, Date.now())}
          value={date}
          onChange={(day) => {
            setDate(day);
            setMissing(false);
          }}
          error={isMissing ? analytics.dayMissing : undefined}
        />
      )}
    </DialogForm>
  );
}
