import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { Field } from "../ui/Field.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { withScheme } from "../ui/with-scheme.ts";
import { type Bucket, maxLinks } from "./bucket.ts";

interface Item {
  /** Tells rows apart while they move */
  key: number;
  title: string;
  url: string;
}

let lastKey = 0;
const newItem = (item = { title: "", url: "" }): Item => ({ key: ++lastKey, ...item });

/** A panel that creates or edits a page: its name, its slug, and its links in order. */
export function BucketEditor({ bucket, close }: { bucket?: Bucket; close: () => void }) {
  const strings = useStrings();
  const { buckets, builder } = strings;
  const [name, setName] = useState(bucket?.name ?? "");
  const [slug, setSlug] = useState(bucket?.slug ?? "");
  const [items, setItems] = useState(() => bucket?.links.map(newItem) ?? [newItem()]);
  const refresh = async (sentence: string) => {
    await queryClient.invalidateQueries(api.buckets.pathFilter());
    say(sentence);
    close();
  };
  const saved = ({ name: savedName }: Bucket) => refresh(buckets.saved(savedName));
  const create = useMutation(api.buckets.create.mutationOptions({ onSuccess: saved }));
  const update = useMutation(api.buckets.update.mutationOptions({ onSuccess: saved }));
  const remove = useMutation(
    api.buckets.delete.mutationOptions({ onSuccess: () => refresh(buckets.deleted(name)) }),
  );
  const { error, isPending } = bucket ? update : create;
  const change = (key: number, part: Partial<Item>) =>
    setItems(items.map((item) => (item.key === key ? { ...item, ...part } : item)));
  const move = (at: number, by: -1 | 1) => {
    const next = items.toSpliced(at, 1);
    const [item] = items.slice(at, at + 1);
    if (item) setItems(next.toSpliced(at + by, 0, item));
  };

  const save = () => {
    const links = items.map(({ title, url }) => ({ title, url: withScheme(url) }));
    if (bucket) update.mutate({ id: bucket.id, name, slug, links });
    else create.mutate({ name, links, ...(slug && { slug }) });
  };
  return (
    <Overlay title={bucket ? buckets.editTitle : buckets.create} close={close} shape="panel">
      <form
        className="builder"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label={buckets.name}
          value={name}
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={builder.slug}
          value={slug}
          hint={bucket ? undefined : builder.slugHint}
          onChange={(event) => setSlug(event.target.value)}
        />
        <ol className="items">
          {items.map((item, at) => (
            <li key={item.key}>
              <Field
                label={`${at + 1} · ${builder.title}`}
                value={item.title}
                onChange={(event) => change(item.key, { title: event.target.value })}
              />
              <Field
                label={builder.url}
                value={item.url}
                inputMode="url"
                placeholder="https://"
                onChange={(event) => change(item.key, { url: event.target.value })}
              />
              <p className="moves">
                <button
                  type="button"
                  className="plain"
                  disabled={at === 0}
                  aria-label={buckets.up(at + 1)}
                  onClick={() => move(at, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className="plain"
                  disabled={at === items.length - 1}
                  aria-label={buckets.down(at + 1)}
                  onClick={() => move(at, 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  className="plain"
                  disabled={items.length === 1}
                  aria-label={buckets.remove(at + 1)}
                  onClick={() => setItems(items.filter(({ key }) => key !== item.key))}
                >
                  ✕
                </button>
              </p>
            </li>
          ))}
        </ol>
        {items.length < maxLinks && (
          <button type="button" className="quiet" onClick={() => setItems([...items, newItem()])}>
            {buckets.add}
          </button>
        )}
        {(error ?? remove.error) && (
          <p className="wrong" role="alert">
            {(error ?? remove.error)?.message}
          </p>
        )}
        <footer>
          {bucket && (
            <button type="button" className="quiet" onClick={() => remove.mutate({ id: bucket.id })}>
              {strings.link.delete}
            </button>
          )}
          <button type="submit" disabled={isPending}>
            {bucket ? builder.save : builder.create}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
