import { useId, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { isSameTag, useTags } from "../../kit/api/tags.ts";
import "./tags.css";

interface TagsFieldProps {
  label: string;
  value: readonly string[];
  onChange: (tags: readonly string[]) => void;
  hint?: string;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Chooses tags: those of the account are proposed while one types; Enter or a comma adds what is typed, also a new one. */
export function TagsField({ label, value, onChange, hint, error, autoFocus }: TagsFieldProps) {
  const { tags: words } = useStrings();
  const id = useId();
  const known = useTags();
  const [text, setText] = useState("");
  const isGiven = (name: string) => value.some((tag) => isSameTag(tag, name));
  const add = (typed: string) => {
    const name = typed.trim();
    setText("");
    if (name === "" || isGiven(name)) return;
    onChange([...value, known.find((tag) => isSameTag(tag.name, name))?.name ?? name]);
  };
  const type = (typed: string) => {
    const isProposal = known.some(({ name }) => name === typed);
    // The browser enters a proposal as a whole, which nobody types at once.
    if (typed.endsWith(",")) add(typed.slice(0, -1));
    else if (isProposal && typed.length > text.length + 1) add(typed);
    else setText(typed);
  };
  return (
    <div className="field tags-field">
      <label htmlFor={id}>{label}</label>
      <div className="tags-box">
        {value.map((tag) => (
          <button
            key={tag}
            type="button"
            className="tag-chip"
            aria-label={words.remove(tag)}
            onClick={() => onChange(value.filter((each) => each !== tag))}
          >
            <span dir="auto">{tag}</span> <span aria-hidden="true">×</span>
          </button>
        ))}
        <input
          className="input"
          id={id}
          list={`${id}-known`}
          dir="auto"
          maxLength={50}
          autoComplete="off"
          autoFocus={autoFocus}
          value={text}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => type(target.value)}
          onBlur={() => add(text)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && text.trim() !== "") {
              event.preventDefault();
              add(text);
            } else if (event.key === "Backspace" && text === "") onChange(value.slice(0, -1));
          }}
        />
        <datalist id={`${id}-known`}>
          {known
            .filter(({ name }) => !isGiven(name))
            .map(({ id: tag, name }) => (
              <option key={tag} value={name} />
            ))}
        </datalist>
      </div>
      <p id={`${id}-note`} className={error ? "wrong" : "note"}>
        {error ?? hint ?? words.hint}
      </p>
    </div>
  );
}
