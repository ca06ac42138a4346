import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../kit/api/account.ts";
import { RoleNote } from "../../kit/RoleNote.tsx";
import { api, client, refresh } from "../../kit/api/api.ts";
import { errorIn, errorsOf } from "../../kit/issues.ts";
import { say } from "../../kit/toasts.tsx";
import { undoChange } from "../../kit/api/undo.ts";
import { Confirm } from "../../kit/Confirm.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { Section } from "../../kit/Section.tsx";
import type { Strings } from "../../words/en.ts";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { isSameTag } from "../../kit/api/tags.ts";
import { TextButton } from "../../kit/Button.tsx";

interface Tag {
  id: string;
  name: string;
  links: number;
}

/** Says that a tag is gone, with an undo if links had it. */
const sayGone = (text: string, change: string | null, strings: Strings) =>
  say(text, change === null ? undefined : () => void undoChange(change, strings));

async function renameBack({ id }: Tag, name: string): Promise<void> {
  try {
    await client.tags.rename.mutate({ id, name });
  } catch (error) {
    say((error as Error).message);
  }
  await refresh("tags", "links");
}

/** All tags with their numbers of links: each can be renamed, merged with another one, and deleted. */
export function TagSettings() {
  const strings = useStrings();
  const { tags: words } = strings;
  const mayChange = useMay("links:write");
  const tags = useQuery(api.tags.list.queryOptions());
  const [renamed, setRenamed] = useState<Tag | null>(null);
  const [deleted, setDeleted] = useState<Tag | null>(null);
  const remove = useMutation(
    api.tags.delete.mutationOptions({
      onSuccess: ({ change_id }) => {
        if (deleted) sayGone(words.deleted(deleted.name), change_id, strings);
        setDeleted(null);
      },
    }),
  );
  return (
    <Section title={words.title} lead={words.lead}>
      <RoleNote permission="links:write" />
      <Rows query={tags} none={words.none}>
        {(tag) => (
          <li>
            <div>
              <p dir="auto">{tag.name}</p>
              <p className="note">
                <Link to="/" search={{ tag: [tag.name] }}>
                  {words.links(tag.links)}
                </Link>
              </p>
            </div>
            {mayChange && (
              <span className="moves">
                <TextButton aria-label={words.renameOne(tag.name)} onClick={() => setRenamed(tag)}>
                  {words.rename}
                </TextButton>
                <TextButton aria-label={words.deleteOne(tag.name)} onClick={() => setDeleted(tag)}>
                  {words.delete}
                </TextButton>
              </span>
            )}
          </li>
        )}
      </Rows>
      {renamed && <Rename tag={renamed} others={tags.data ?? []} close={() => setRenamed(null)} />}
      {deleted && (
        <Confirm
          title={words.deleteTitle(deleted.name)}
          action={words.delete}
          isPending={remove.isPending}
          error={remove.error?.message}
          close={() => setDeleted(null)}
          onConfirm={() => remove.mutate({ id: deleted.id })}
        >
          <p>{words.deleteMeans(deleted.links)}</p>
        </Confirm>
      )}
    </Section>
  );
}

/** Asks for another name, and says that the name of another tag merges both. */
function Rename({ tag, others, close }: { tag: Tag; others: readonly Tag[]; close: () => void }) {
  const strings = useStrings();
  const { tags: words } = strings;
  const [name, setName] = useState(tag.name);
  const other = others.find((each) => each.id !== tag.id && isSameTag(each.name, name.trim()));
  const rename = useMutation(
    api.tags.rename.mutationOptions({
      onSuccess: (saved) => {
        if (saved.id === tag.id)
          say(words.renamed(tag.name, saved.name), () => void renameBack(saved, tag.name));
        else sayGone(words.merged(tag.name, saved.name), saved.change_id, strings);
        close();
      },
    }),
  );
  return (
    <DialogForm
      title={words.renameOne(tag.name)}
      close={close}
      action={other ? words.merge : words.rename}
      submit={() => rename.mutate({ id: tag.id, name })}
      isPending={rename.isPending}
      isDisabled={name.trim() === ""}
    >
      <Field
        label={words.newName}
        value={name}
        autoFocus
        required
        maxLength={50}
        dir="auto"
        onChange={setName}
        hint={other && words.merges(other.name, other.links)}
        error={errorIn(errorsOf(rename.error, strings), "")}
      />
    </DialogForm>
  );
}
