import { useMutation, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { api, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { Field } from "../ui/Field.tsx";
import { Overlay } from "../ui/Overlay.tsx";
import { withScheme } from "../ui/with-scheme.ts";
import { type Link, shortName } from "./link.ts";

interface BuilderProps {
  /** The link to edit; a new one is created without it */
  link?: Link;
  /** What the destination of a new link begins with */
  url?: string;
  close: () => void;
}

/** A panel that creates or edits a link. */
export function Builder({ link, url: initialUrl = "", close }: BuilderProps) {
  const strings = useStrings();
  const { builder } = strings;
  const me = useQuery(api.users.me.queryOptions());
  const isFree = me.data?.plan === "free";
  const [url, setUrl] = useState(link?.destination ?? withScheme(initialUrl));
  const [slug, setSlug] = useState(link?.slug ?? "");
  const [title, setTitle] = useState(link?.title ?? "");
  const [password, setPassword] = useState("");
  const [withoutPassword, setWithoutPassword] = useState(false);
  const [expires, setExpires] = useState(link?.expires_at ? toLocal(link.expires_at) : "");
  const [active, setActive] = useState(link?.is_active !== 0);
  const done = async (saved: Link) => {
    await queryClient.invalidateQueries(api.links.pathFilter());
    if (link) say(builder.saved(shortName(saved)));
    else {
      await navigator.clipboard.writeText(saved.shortUrl).catch(() => {});
      say(builder.created(shortName(saved)));
    }
    close();
  };
  const create = useMutation(api.links.create.mutationOptions({ onSuccess: done }));
  const update = useMutation(api.links.update.mutationOptions({ onSuccess: done }));
  const { error, isPending } = link ? update : create;
  const wrong = splitError(error?.message);

  const storedExpiry = link?.expires_at ? new Date(toLocal(link.expires_at)).toISOString() : null;
  const save = () => {
    const expires_at = expires ? new Date(expires).toISOString() : null;
    const options = {
      ...(password && { password }),
      ...(expires_at !== storedExpiry && { expires_at }),
    };
    const destination = withScheme(url);
    setUrl(destination);
    if (link) {
      update.mutate({
        id: link.id,
        ...(destination !== link.destination && { url: destination }),
        ...(slug !== link.slug && { slug }),
        ...(title !== (link.title ?? "") && { title: title || null }),
        ...(active !== (link.is_active === 1) && { is_active: active ? 1 : 0 }),
        ...options,
        ...(withoutPassword && { password: null }),
      });
    } else create.mutate({ url: destination, ...(slug && { slug }), ...(title && { title }), ...options });
  };

  return (
    <Overlay title={link ? builder.editTitle : builder.createTitle} close={close} shape="panel">
      <form
        className="builder"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
        }}
      >
        <Field
          label={builder.url}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          error={wrong.url}
        />
        <Field
          label={builder.slug}
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          error={wrong.slug}
          hint={<SlugNote slug={slug} own={link?.slug} />}
        />
        <Field
          label={builder.title}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          error={wrong.title}
        />
        <Field
          label={isFree ? `${builder.expires} (${builder.pro})` : builder.expires}
          type="datetime-local"
          value={expires}
          onChange={(event) => setExpires(event.target.value)}
          disabled={isFree}
          error={wrong.expires_at}
        />
        <Field
          label={isFree ? `${builder.password} (${builder.pro})` : builder.password}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="off"
          disabled={isFree}
          error={wrong.password}
          hint={link?.has_password ? builder.passwordSet : undefined}
        />
        {link?.has_password && (
          <label className="check">
            <input
              type="checkbox"
              checked={withoutPassword}
              onChange={(event) => setWithoutPassword(event.target.checked)}
            />
            {builder.removePassword}
          </label>
        )}
        {link && (
          <label className="check">
            <input type="checkbox" checked={active} onChange={(event) => setActive(event.target.checked)} />
            {builder.active}
          </label>
        )}
        {wrong.other && (
          <p className="wrong" role="alert">
            {wrong.other}
          </p>
        )}
        <footer>
          <button type="button" className="quiet" onClick={close}>
            {builder.cancel}
          </button>
          <button type="submit" disabled={isPending}>
            {link ? builder.save : builder.create}
            <kbd>Ctrl ↵</kbd>
          </button>
        </footer>
      </form>
    </Overlay>
  );
}

/** Says early that a slug is the account's own already; about those of others, the service answers when it saves. */
function SlugNote({ slug, own }: { slug: string; own: string | undefined }) {
  const { builder } = useStrings();
  const asked = useDeferredValue(slug);
  const taken = useQuery(
    api.links.locate.queryOptions({ id: asked }, { enabled: asked !== "" && asked !== own, retry: false }),
  );
  if (slug === "") return builder.slugHint;
  return slug !== own && asked === slug && taken.data ? builder.slugTaken : null;
}

/** The value of a `datetime-local` field, in the viewer's time. */
const toLocal = (iso: string) => {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

type FieldName = "url" | "slug" | "title" | "password" | "expires_at";

/** The service's messages begin with the field's name, which the form shows at that field. */
function splitError(message: string | undefined): Partial<Record<FieldName | "other", string>> {
  if (message === undefined) return {};
  const [, name, reason] = /^(url|slug|title|password|expires_at):? (.*)$/s.exec(message) ?? [];
  if (name !== undefined && reason !== undefined) return { [name]: reason };
  return /^slug/i.test(message) ? { slug: message } : { other: message };
}
