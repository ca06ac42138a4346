import { useMutation, useQuery } from "@tanstack/react-query";
import { mayDo } from "@terse/core/browser";
import { useState } from "react";
import { useMe } from "../../kit/api/account.ts";
import { api } from "../../kit/api/api.ts";
import { MainButton } from "../../kit/Button.tsx";
import { Check } from "../../kit/Choices.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import type { Domain } from "./domain.ts";

const everyone = "everyone";

/** Which other workspaces may create links on a domain: those in which the person may change domains, too. */
export function DomainSharing({ domain, links }: { domain: Domain; links: number | null | undefined }) {
  const { builder, domainSharing: words } = useStrings();
  const me = useMe().data;
  const workspaces = useQuery(api.workspaces.list.queryOptions({})).data ?? [];
  const [stored, setStored] = useState([domain.shared_with ?? []].flat());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(stored));
  const save = useMutation(
    api.domains.update.mutationOptions({
      onSuccess({ shared_with, links_of_others = 0 }) {
        const next = [shared_with ?? []].flat();
        setStored(next);
        setChosen(new Set(next));
        say(words.saved(domain.domain, links_of_others));
      },
    }),
  );
  const names = new Map(workspaces.map(({ id, name }) => [id, name]));
  const mine = workspaces.filter(
    ({ id, role, deletes_at }) => id !== me?.workspace.id && deletes_at === null && mayDo(role, "domains"),
  );
  const ids = new Set([...mine.map(({ id }) => id), ...stored.filter((id) => id !== everyone)]);
  const hasEveryone = me?.operator === true || stored.includes(everyone);
  const isChanged = chosen.size !== stored.length || stored.some((id) => !chosen.has(id));
  const toggle = (id: string) => (isChecked: boolean) => {
    const next = new Set(chosen);
    if (isChecked) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <form
      className="domain-settings"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ id: domain.id, shared_with: chosen.has(everyone) ? everyone : [...chosen] });
      }}
    >
      <fieldset>
        <legend>{words.who}</legend>
        <p className="note">{ids.size === 0 && !hasEveryone ? words.nowhere : words.hint}</p>
        {hasEveryone && (
          <Check checked={chosen.has(everyone)} onChange={toggle(everyone)}>
            {words.everyone}
          </Check>
        )}
        {[...ids].map((id) => (
          <Check key={id} checked={chosen.has(id)} disabled={chosen.has(everyone)} onChange={toggle(id)}>
            <span dir="auto">{names.get(id) ?? words.other(id)}</span>
          </Check>
        ))}
      </fieldset>
      {links != null && links > 0 && <p className="note">{words.links(links)}</p>}
      <Wrong>{save.error?.message}</Wrong>
      {(ids.size > 0 || hasEveryone) && (
        <p>
          <MainButton type="submit" disabled={!isChanged || save.isPending}>
            {builder.save}
          </MainButton>
        </p>
      )}
    </form>
  );
}
