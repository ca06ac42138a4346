import { useMutation } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { api } from "../../kit/api/api.ts";
import { type Errors, errorsBeside, errorsOf, withoutField } from "../../kit/issues.ts";
import { useFocusWrong } from "../../kit/focus.ts";
import { UrlField } from "../../kit/UrlField.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { withScheme } from "../../kit/format/url.ts";
import type { Domain } from "./domain.ts";
import { type FileField, fileFields, readFile, samples, textOf } from "./files.ts";
import { MainButton, TextButton } from "../../kit/Button.tsx";

const urlFields = ["root_url", "not_found_url", "expired_url"] as const;
type Draft = Record<(typeof urlFields)[number] | "import_from" | FileField, string>;

const draftOf = (domain: Domain): Draft => ({
  root_url: domain.root_url ?? "",
  not_found_url: domain.not_found_url ?? "",
  expired_url: domain.expired_url ?? "",
  import_from: domain.import_from ?? "",
  apple_app_site_association: textOf(domain.apple_app_site_association),
  assetlinks: textOf(domain.assetlinks),
});

/** Where a domain leads without a link, and the files that connect it with apps. What is not JSON is not sent. */
export function DomainSettings({ domain }: { domain: Domain }) {
  const strings = useStrings();
  const { domainSettings: words, builder } = strings;
  const [draft, setDraft] = useState(() => draftOf(domain));
  const [errors, setErrors] = useState<Errors>({});
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation(
    api.domains.update.mutationOptions({
      onMutate: () => setErrors({}),
      onError: (error) => setErrors(errorsOf(error, strings)),
      onSuccess: (saved) => {
        setDraft(draftOf(saved));
        say(words.saved(domain.domain));
      },
    }),
  );
  const stored = draftOf(domain);
  const changed = Object.keys(draft).filter(
    (field) => draft[field as keyof Draft].trim() !== stored[field as keyof Draft],
  ) as (keyof Draft)[];
  const files = Object.fromEntries(fileFields.map((field) => [field, readFile(draft[field])])) as Record<
    FileField,
    ReturnType<typeof readFile>
  >;
  useFocusWrong(form, save.error);
  const isBroken = fileFields.some((field) => changed.includes(field) && !files[field].ok);
  const set = (field: keyof Draft) => (text: string) => {
    setDraft((before) => ({ ...before, [field]: text }));
    setErrors((before) => withoutField(before, field));
  };
  const send = () => {
    const fields = changed.map((field) => {
      if (field === "apple_app_site_association" || field === "assetlinks") {
        const file = files[field];
        return [field, file.ok ? file.value : undefined];
      }
      return [field, draft[field].trim() === "" ? null : withScheme(draft[field])];
    });
    save.mutate({ id: domain.id, ...Object.fromEntries(fields) });
  };
  return (
    <form
      ref={form}
      className="domain-settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBroken) send();
      }}
    >
      <fieldset>
        <legend>{words.without}</legend>
        <p className="note">{words.withoutHint}</p>
        {urlFields.map((field) => (
          <UrlField
            key={field}
            label={words.urls[field]}
            value={draft[field]}
            onChange={set(field)}
            error={errors[field]}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>{words.moved}</legend>
        <p className="note">{words.movedHint}</p>
        <UrlField
          label={words.importFrom}
          value={draft.import_from}
          onChange={set("import_from")}
          error={errors["import_from"]}
        />
        {domain.imported_links > 0 && <p className="note">{words.importedLinks(domain.imported_links)}</p>}
      </fieldset>
      <fieldset>
        <legend>{words.apps}</legend>
        <p className="note">{words.appsHint}</p>
        {fileFields.map((field) => (
          <JsonField
            key={field}
            field={field}
            value={draft[field]}
            onChange={set(field)}
            error={errorIn(field)}
          />
        ))}
      </fieldset>
      <Wrong>{errorsBeside(errors, Object.keys(draft))}</Wrong>
      <p>
        <MainButton type="submit" disabled={changed.length === 0 || isBroken || save.isPending}>
          {builder.save}
        </MainButton>
      </p>
    </form>
  );

  function errorIn(field: FileField): string | undefined {
    const file = files[field];
    if (!file.ok) return words.notJson(file.line, file.column);
    const found = Object.entries(errors).filter(([path]) => path.split(".", 1)[0] === field);
    const said = found.map(([path, sentence]) =>
      [path.split(".").slice(1).join(" › "), sentence].filter(Boolean).join(": "),
    );
    return said.join("; ") || undefined;
  }
}

interface JsonFieldProps {
  field: FileField;
  value: string;
  onChange: (text: string) => void;
  /** What is wrong, and where */
  error: string | undefined;
}

/** A file as text, with a sample to begin with. */
function JsonField({ field, value, onChange, error }: JsonFieldProps) {
  const { domainSettings: words } = useStrings();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.files[field]}</label>
      <textarea
        id={id}
        className="input json"
        rows={Math.min(Math.max(value.split("\n").length, 2), 16)}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        spellCheck={false}
        autoComplete="off"
        dir="ltr"
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
      />
      <p id={`${id}-note`} className={error ? "wrong" : "note"} role={error ? "alert" : undefined}>
        {error ?? words.served[field]}
      </p>
      {value === "" && (
        <TextButton className="add" onClick={() => onChange(samples[field])}>
          {words.sample}
        </TextButton>
      )}
    </div>
  );
}
