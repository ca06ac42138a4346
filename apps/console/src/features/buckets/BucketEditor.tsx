import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, refresh } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { FormPanel } from "../../kit/FormPanel.tsx";
import { type Errors, errorsBeside, errorsOf } from "../../kit/issues.ts";
import { ask } from "../../kit/api/fetch.ts";
import { AccentField } from "./AccentField.tsx";
import { AvatarField } from "./AvatarField.tsx";
import { type Bucket, itemUrl } from "./bucket.ts";
import type { ChosenImage } from "./image.ts";
import { Items, newItem } from "./Items.tsx";
import { Preview } from "./Preview.tsx";

const draftOf = (bucket: Bucket | undefined) => ({
  name: bucket?.name ?? "",
  slug: bucket?.slug ?? "",
  description: bucket?.description ?? "",
  accent: bucket?.accent_color ?? "",
  imageUrl: bucket?.avatar_url ?? null,
  items: bucket?.links.map((link) => newItem(link)) ?? [newItem()],
});
type Draft = ReturnType<typeof draftOf>;

/** All that a save would store. */
const textOf = ({ items, ...fields }: Draft) =>
  JSON.stringify([fields, items.map(({ title, url }) => [title, url])]);

/** A panel that creates or edits a page, beside the page as it will be. */
export function BucketEditor({ bucket, close }: { bucket?: Bucket; close: () => void }) {
  const strings = useStrings();
  const { buckets, builder } = strings;
  const [initial] = useState(() => draftOf(bucket));
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const { name, slug, description, accent, imageUrl, items } = draft;
  const [image, setImage] = useState<ChosenImage | null>(null);
  /** Of the page that exists: it may have been created although its image was refused. */
  const [savedId, setSavedId] = useState(bucket?.id);

  const stats = useQuery({ ...api.buckets.stats.queryOptions({ id: bucket?.id ?? "" }), enabled: !!bucket });
  useEffect(() => {
    if (!stats.data) return;
    const { links } = stats.data;
    setDraft((before) => ({
      ...before,
      items: before.items.map((item) => {
        const counted = links.find((link) => link.title === item.title && link.url === item.url);
        return counted ? { ...item, clicks: counted.clicks } : item;
      }),
    }));
  }, [stats.data]);

  const create = useMutation(api.buckets.create.mutationOptions());
  const update = useMutation(api.buckets.update.mutationOptions());
  const removeImage = useMutation(api.buckets.deleteAvatar.mutationOptions());
  const [errors, setErrors] = useState<Errors>({});
  const errorOf = (field: string) => errors[field];
  const ownFields = ["name", "slug", "description", "accent_color", "image"];
  const shownFields = [...ownFields, ...items.flatMap((_, at) => [`links.${at}.title`, `links.${at}.url`])];

  const fields = { name, description: description.trim() || null, accent_color: accent || null };
  const links = items.map(({ title, url }) => ({ title, url: itemUrl(url) }));
  const save = async () => {
    setErrors({});
    try {
      const saved = savedId
        ? await update.mutateAsync({ id: savedId, slug: bucket ? slug : slug || undefined, links, ...fields })
        : await create.mutateAsync({ slug: slug || undefined, links, ...fields });
      setSavedId(saved.id);
      if (image) await ask(`/v1/buckets/${saved.id}/avatar`, { method: "PUT", body: image.blob });
      else if (saved.avatar_url && !imageUrl) await removeImage.mutateAsync({ id: saved.id });
      say(buckets.saved(saved.name));
    } catch (failure) {
      setErrors(errorsOf(failure, strings));
      throw failure;
    } finally {
      await refresh("buckets");
    }
  };

  const isChanged = image !== null || textOf(draft) !== textOf(initial);
  const shown = { ...fields, description, avatar_url: image?.url ?? imageUrl, links };
  return (
    <FormPanel
      title={bucket ? buckets.editTitle : buckets.create}
      close={close}
      save={save}
      saveLabel={bucket ? builder.save : builder.create}
      isChanged={isChanged}
      error={errorsBeside(errors, shownFields)}
      preview={<Preview id={savedId ?? ""} draft={shown} />}
    >
      <Field
        label={buckets.name}
        value={name}
        maxLength={100}
        autoFocus
        error={errorOf("name")}
        onChange={(text) => change({ name: text })}
      />
      <Field
        label={buckets.description}
        value={description}
        maxLength={200}
        error={errorOf("description")}
        onChange={(text) => change({ description: text })}
      />
      <AvatarField
        url={imageUrl}
        chosen={image}
        error={errorOf("image")}
        onChange={(chosen) => {
          setImage(chosen);
          if (!chosen) change({ imageUrl: null });
        }}
      />
      <AccentField
        value={accent}
        onChange={(color) => change({ accent: color })}
        error={errorOf("accent_color")}
      />
      <Field
        label={builder.slug}
        value={slug}
        isCode
        hint={bucket ? undefined : builder.slugHint}
        error={errorOf("slug")}
        onChange={(text) => change({ slug: text })}
      />
      <Items items={items} onChange={(next) => change({ items: next })} errorOf={errorOf} />
    </FormPanel>
  );
}
