import { useMutation } from "@tanstack/react-query";
import { api, type client, queryClient } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { undoUpdate } from "../../kit/api/undo.ts";
import { type Link, shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { copyAndSay } from "../../kit/clipboard.ts";
import { changesOf, creationOf, type Draft, draftOf, fieldsOf } from "./draft.ts";

type Update = Parameters<typeof client.links.update.mutate>[0];

/** Saves a draft: creates a link and copies it, or changes one, which lists show at once and the toast can take back. */
export function useSave(link: Link | undefined) {
  const { builder } = useStrings();
  const create = useMutation(api.links.create.mutationOptions());
  const update = useMutation(
    api.links.update.mutationOptions({
      onMutate: async ({ id, ...fields }) => {
        await queryClient.cancelQueries(api.links.pathFilter());
        const before = queryClient.getQueriesData(api.links.pathFilter());
        showEverywhere(id, (shown) => ({ ...shown, ...asShown(fields) }));
        return { before };
      },
      onError: (_error, _fields, context) => {
        for (const [key, data] of context?.before ?? []) queryClient.setQueryData(key, data);
      },
      onSuccess: (saved) => showEverywhere(saved.id, () => saved),
    }),
  );

  const saveNew = async (draft: Draft) => {
    const created = await create.mutateAsync(creationOf(fieldsOf(draft, undefined), draft.domain));
    const name = shortName(created);
    await copyAndSay(created.shortUrl, builder.createdAndCopied(name), builder.createdNotCopied(name));
  };
  const saveChanges = async (old: Link, draft: Draft) => {
    const before = fieldsOf(draftOf(old, ""), old);
    const changes = changesOf(before, fieldsOf(draft, old));
    if (Object.keys(changes).length === 0) return;
    const saved = await update.mutateAsync({ id: old.id, ...changes });
    say(builder.saved(shortName(saved)), () => void putBack(saved));
  };
  const putBack = async (saved: Link) => {
    await undoUpdate(saved).then(
      () => say(builder.putBack(shortName(saved))),
      (error: Error) => say(error.message),
    );
  };
  return (draft: Draft) => (link ? saveChanges(link, draft) : saveNew(draft));
}

/** How an update will look, as far as that is known before the service answers. */
function asShown({ url, password, is_active, ...fields }: Omit<Update, "id">): Partial<Link> {
  const same = {
    ...fields,
    ...(fields.geo_rules === null && { geo_rules: [] }),
    ...(fields.rules === null && { rules: [] }),
  };
  return {
    ...(same as Partial<Link>),
    ...(url !== undefined && { destination: url }),
    ...(password !== undefined && { has_password: password !== null }),
    ...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
  };
}

/** Changes a link in every answer that is shown, whether it is the link itself, a list or pages of lists. */
function showEverywhere(id: string, change: (link: Link) => Link): void {
  const changed = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(changed);
    if (typeof data !== "object" || data === null) return data;
    if ("pages" in data) return { ...data, pages: changed(data.pages) };
    if ("data" in data) return { ...data, data: changed(data.data) };
    return "id" in data && data.id === id && "destination" in data ? change(data as unknown as Link) : data;
  };
  queryClient.setQueriesData(api.links.pathFilter(), changed);
}
