import { useId, useState } from "react";
import type { Draft } from "../builder/draft.ts";
import type { Errors } from "../builder/errors.ts";
import { useStrings } from "../strings/strings.tsx";
import { TagsField } from "./TagsField.tsx";

interface LabelFieldsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  errors: Errors;
}

/** What a link has for its owner alone: tags, and notes once they are asked for. */
export function LabelFields({ draft, change, errors }: LabelFieldsProps) {
  const { tags: words } = useStrings();
  const id = useId();
  const [hasNotes, setHasNotes] = useState(draft.notes !== "");
  const tagError = Object.entries(errors).find(([path]) => path === "tags" || path.startsWith("tags."))?.[1];
  return (
    <>
      <TagsField
        label={words.title}
        value={draft.tags}
        onChange={(tags) => change({ tags })}
        error={tagError}
      />
      {hasNotes ? (
        <div className="field">
          <label htmlFor={id}>{words.notes}</label>
          <textarea
            id={id}
            rows={3}
            dir="auto"
            maxLength={2000}
            value={draft.notes}
            aria-invalid={errors["notes"] ? true : undefined}
            aria-describedby={`${id}-note`}
            onChange={({ target }) => change({ notes: target.value })}
          />
          <p id={`${id}-note`} className={errors["notes"] ? "wrong" : "note"}>
            {errors["notes"] ?? words.notesHint}
          </p>
        </div>
      ) : (
        <div className="more">
          <button type="button" className="quiet" onClick={() => setHasNotes(true)}>
            + {words.notes}
          </button>
        </div>
      )}
    </>
  );
}
