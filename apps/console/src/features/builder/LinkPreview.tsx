import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import type { GroupProps } from "./Advanced.tsx";
import { emptyPreview } from "./draft.ts";
import { UrlField } from "../../kit/UrlField.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** What chats and social networks show of the link. The card beside the form shows it while it is typed. */
export function LinkPreview({ draft, change, hasOptions, errors }: GroupProps) {
  const { linkPreview: words, builder } = useStrings();
  const { preview } = draft;
  const set = (part: Partial<typeof preview>) => change({ preview: { ...preview, ...part } });
  const isEmpty = Object.values(preview).every((text) => text === "");
  return (
    <>
      <p className="note">{hasOptions ? words.hint : builder.needsPro}</p>
      <Field
        label={words.title}
        value={preview.title}
        onChange={(text) => set({ title: text })}
        maxLength={200}
        dir="auto"
        disabled={!hasOptions}
        error={errors["preview.title"] ?? errors["preview"]}
      />
      <Field
        label={words.description}
        rows={2}
        value={preview.description}
        onChange={(text) => set({ description: text.replaceAll("\n", " ") })}
        maxLength={500}
        dir="auto"
        disabled={!hasOptions}
        error={errors["preview.description"]}
      />
      <UrlField
        label={words.image}
        value={preview.image}
        onChange={(image) => set({ image })}
        disabled={!hasOptions}
        error={errors["preview.image"]}
      />
      {!isEmpty && (
        <TextButton className="add" onClick={() => change({ preview: emptyPreview })}>
          {words.remove}
        </TextButton>
      )}
    </>
  );
}
