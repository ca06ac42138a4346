import { TimeField } from "../../kit/fields.ts";
import { useId, useRef } from "react";
import { formatCount, viewerZone } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { useFocusNext } from "../../kit/focus.ts";
import type { GroupProps } from "./Advanced.tsx";
import { UrlField } from "../../kit/UrlField.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** When the link begins to work and for how many clicks, and where visitors are sent otherwise. Its end is an option of its own. */
export function Limits({ draft, change, hasOptions, errors }: GroupProps) {
  const { limits: words } = useStrings();
  const id = useId();
  const begin = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(begin);
  const { starts_at: start, click_limit: limit } = draft;
  return (
    <>
      <UrlField
        label={words.fallback}
        value={draft.fallback_url}
        onChange={(fallback_url) => change({ fallback_url })}
        disabled={!hasOptions}
        error={errors["fallback_url"]}
      />
      <p className="note">{words.fallbackHint}</p>
      <div ref={begin} className="begin">
        <TimeField
          label={words.start}
          value={start}
          onChange={(starts_at) => change({ starts_at })}
          describedBy={id}
          isInvalid={errors["starts_at"] !== undefined}
          isDisabled={!hasOptions}
        />
        <p id={id} className={errors["starts_at"] ? "wrong" : "note"}>
          {errors["starts_at"] ?? words.startHint(viewerZone)}
        </p>
        {start !== null && (
          <TextButton
            className="add"
            onClick={() => {
              focusNext("[role=spinbutton]");
              change({ starts_at: null });
            }}
          >
            {words.noStart}
          </TextButton>
        )}
      </div>
      <Field
        label={words.limit}
        value={limit}
        onChange={(text) => change({ click_limit: text.replace(/\D/g, "").slice(0, 10) })}
        inputMode="numeric"
        autoComplete="off"
        placeholder={words.noLimit}
        disabled={!hasOptions}
        error={errors["click_limit"]}
        hint={limit === "" ? words.limitHint : words.limitMeans(formatCount(Number(limit)))}
      />
      {!hasOptions && <p className="note">{words.needsPro}</p>}
    </>
  );
}
