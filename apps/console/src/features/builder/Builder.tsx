import { later } from "../../kit/later.tsx";
import { useHas } from "../../kit/api/account.ts";
import { useState } from "react";
import { statusOf } from "../../kit/api/api.ts";
import type { Link } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { TagsField } from "../tags/TagsField.tsx";
import { Field } from "../../kit/Field.tsx";
import { FormPanel } from "../../kit/FormPanel.tsx";
import { Advanced } from "./Advanced.tsx";
import { CardPreview } from "./CardPreview.tsx";
import { type Draft, draftOf, emptySections, fieldsOf, unfinishedTimes } from "./draft.ts";
import { EndsUp } from "./EndsUp.tsx";
import { Options } from "./Options.tsx";
import { useOwnHost } from "../../kit/api/own-host.ts";
import { SlugField, useAvailability } from "./SlugField.tsx";
import { errorIn, type Errors, errorsBeside, errorsOf, withoutField } from "../../kit/issues.ts";
import { UrlField } from "../../kit/UrlField.tsx";
import { useExplanation } from "./use-explanation.ts";
import { useSave } from "./use-save.ts";
import type { Asked } from "./visits.ts";
import { WhatIf } from "./WhatIf.tsx";
import { Check } from "../../kit/Choices.tsx";
import "./builder.css";

const QrPreview = later(() => import("./QrPreview.tsx"), "QrPreview", <section className="qr-preview" />);

/** The fields of the form, which show the errors about them */
const shownFields = [
  "url",
  "slug",
  "title",
  "tags",
  "notes",
  "domain",
  "password",
  "expires_at",
  "rules",
  "geo_rules",
  "ab_test",
  "starts_at",
  "click_limit",
  "fallback_url",
  "redirect_status",
  "forward_query",
  "forward_path",
  "preview",
];
/** What the foot of the form says is about a moment before. */
const withoutOthers = (errors: Errors): Errors =>
  Object.fromEntries(
    Object.entries(errors).filter(([path]) => shownFields.includes(path.split(".", 1)[0] ?? "")),
  );

interface BuilderProps {
  /** The link to edit; a new one is created without it */
  link?: Link;
  /** What the destination of a new link begins with */
  url?: string;
  close: () => void;
}

/** A panel that creates or edits a link, with what will become of it beside the fields. */
export function Builder({ link: shown, url = "", close }: BuilderProps) {
  const strings = useStrings();
  const { builder, tags, timeField } = strings;
  const hasOptions = useHas("link_options") ?? false;
  // The form compares with the link as it was when it was opened, whatever is read of it meanwhile.
  const [link] = useState(shown);
  const [initial] = useState(() => draftOf(link, url));
  const [draft, setDraft] = useState(initial);
  const [refused, setRefused] = useState<Errors>({});
  const [asked, setAsked] = useState<Asked>({ countries: [], times: [], visitor: {} });
  const availability = useAvailability(draft, link);
  const explanation = useExplanation(draft, link, asked);
  const save = useSave(link);

  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setRefused((before) => Object.keys(part).reduce(withoutField, withoutOthers(before)));
  };
  const saveDraft = async () => {
    const incomplete: Errors = Object.fromEntries([
      ...unfinishedTimes(draft).map((field) => [field, timeField.unfinished]),
      ...emptySections(draft, link).map((section) => [section, builder.emptySection]),
    ]);
    if (Object.keys(incomplete).length > 0) {
      setRefused(incomplete);
      throw new Error(Object.values(incomplete)[0]);
    }
    try {
      await save(draft);
    } catch (error) {
      setRefused(errorsOf(error, strings));
      throw error;
    }
  };
  // What saving was refused for comes first: the other answer may be of a moment before.
  const errors = { ...explanation.errors, ...refused };
  const fields = fieldsOf(draft, link);
  return (
    <FormPanel
      title={link ? builder.editTitle : builder.createTitle}
      close={close}
      save={saveDraft}
      saveLabel={link ? builder.save : builder.create}
      isChanged={JSON.stringify(fields) !== JSON.stringify(fieldsOf(initial, link)) || draft.domain !== ""}
      error={errorsBeside(refused, shownFields)}
      preview={
        <Preview
          draft={draft}
          link={link}
          destination={fields.url}
          shortUrl={availability.shortUrl}
          hasPassword={fields.password !== null}
          explanation={explanation}
          asked={asked}
          ask={setAsked}
        />
      }
    >
      <UrlField
        label={builder.url}
        value={draft.url}
        onChange={(value) => change({ url: value })}
        error={errors["url"]}
        autoFocus
      />
      <SlugField
        draft={draft}
        change={change}
        link={link}
        availability={availability}
        error={refused["slug"] ?? refused["domain"]}
      />
      <Field
        label={builder.title}
        value={draft.title}
        onChange={(text) => change({ title: text })}
        dir="auto"
        error={refused["title"]}
      />
      <TagsField
        label={tags.title}
        value={draft.tags}
        onChange={(names) => change({ tags: names })}
        error={errorIn(refused, "tags")}
      />
      <Options draft={draft} change={change} link={link} hasOptions={hasOptions} errors={errors} />
      <Advanced draft={draft} change={change} hasOptions={hasOptions} errors={errors} />
      {link && (
        <Check checked={draft.isActive} onChange={(isChecked) => change({ isActive: isChecked })}>
          {builder.active}
        </Check>
      )}
    </FormPanel>
  );
}

interface PreviewProps {
  draft: Draft;
  link: Link | undefined;
  destination: string;
  hasPassword: boolean;
  /** Null while it is not known */
  shortUrl: string | null;
  explanation: ReturnType<typeof useExplanation>;
  asked: Asked;
  ask: (asked: Asked) => void;
}

/** What the draft will become: who ends up where, its QR code and its preview. */
function Preview({ draft, link, destination, shortUrl, hasPassword, explanation, asked, ask }: PreviewProps) {
  const own = useOwnHost();
  const host = link?.domain ?? (draft.domain || own);
  const isUrl = URL.canParse(destination);
  const problem = useReason(explanation);
  return (
    <>
      <EndsUp
        groups={problem ? [] : explanation.groups}
        problem={problem}
        hasPassword={hasPassword}
        mainHost={isUrl ? new URL(destination).host : ""}
        asked={asked}
        ask={ask}
      />
      {link && !problem && (
        <WhatIf draft={draft} link={link} mainHost={isUrl ? new URL(destination).host : ""} />
      )}
      <QrPreview
        shortUrl={shortUrl ?? `${location.protocol}//${host}/sample`}
        isSample={shortUrl === null}
        look={link?.qr ?? null}
      />
      <CardPreview
        title={draft.title.trim()}
        destination={isUrl ? destination : null}
        shortName={`${host}/${draft.slug.trim() || "…"}`}
        hasPassword={hasPassword}
        preview={draft.preview}
      />
    </>
  );
}

/** Why nobody can say where visitors end up; undefined if the service does. */
function useReason({ isComplete, error }: ReturnType<typeof useExplanation>): string | undefined {
  const { builder, errors } = useStrings();
  if (!isComplete) return builder.incomplete;
  if (error === null) return undefined;
  const status = statusOf(error);
  if (status === null) return errors.unreachable;
  return status === 400 ? builder.fixFirst : error.message;
}
