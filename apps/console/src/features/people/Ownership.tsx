import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useMe } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { Button, MainButton } from "../../kit/Button.tsx";
import { SelectField } from "../../kit/Choices.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { Section } from "../../kit/Section.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import type { Workspace } from "./roles.ts";

/** Who owns a workspace. The owner offers it to a member, who accepts or declines. */
export function Ownership({ workspace: { id, name, offered_to } }: { workspace: Workspace }) {
  const { workspaces } = useStrings();
  const me = useMe().data?.id;
  const isOwner = useMay("account");
  const members = useQuery(api.members.list.queryOptions()).data ?? [];
  const [isAsked, setAsked] = useState(false);
  const nameOf = (user: string | null) => members.find(({ user_id }) => user_id === user)?.name ?? "";
  const owner = members.find(({ role }) => role === "owner");
  const end = useMutation(
    api.workspaces.endTransfer.mutationOptions({ onSuccess: () => say(workspaces.offerEnded) }),
  );
  const accept = useMutation(
    api.workspaces.acceptTransfer.mutationOptions({ onSuccess: () => say(workspaces.accepted(name)) }),
  );
  const isOfferedToMe = offered_to !== null && offered_to === me;
  return (
    <Section title={workspaces.ownership}>
      {owner && <p>{isOwner ? workspaces.youOwn : workspaces.ownedBy(owner.name)}</p>}
      {isOfferedToMe && <p>{workspaces.offeredToYou(owner?.name ?? "")}</p>}
      {isOwner && offered_to && <p>{workspaces.offeredTo(nameOf(offered_to))}</p>}
      {isOfferedToMe && (
        <p className="inline">
          <MainButton isAtWork={accept.isPending} onClick={() => accept.mutate({ id })}>
            {workspaces.accept}
          </MainButton>
          <Button isAtWork={end.isPending} onClick={() => end.mutate({ id })}>
            {workspaces.decline}
          </Button>
        </p>
      )}
      {isOwner && offered_to !== null && (
        <p>
          <Button isAtWork={end.isPending} onClick={() => end.mutate({ id })}>
            {workspaces.withdrawOffer}
          </Button>
        </p>
      )}
      {isOwner && offered_to === null && members.length > 1 && (
        <p>
          <Button onClick={() => setAsked(true)}>{workspaces.transfer}…</Button>
        </p>
      )}
      {isOwner && members.length === 1 && <p className="note">{workspaces.transferNobody}</p>}
      <Wrong>{refusalOf(accept.error ?? end.error)}</Wrong>
      {isAsked && <Offer id={id} close={() => setAsked(false)} />}
    </Section>
  );
}

function Offer({ id, close }: { id: string; close: () => void }) {
  const { workspaces } = useStrings();
  const me = useMe().data?.id;
  const all = useQuery(api.members.list.queryOptions()).data ?? [];
  const members = all.filter(({ user_id }) => user_id !== me);
  const [chosen, setChosen] = useState(members[0]?.user_id ?? "");
  const textOf = (user: string) => {
    const member = members.find(({ user_id }) => user_id === user);
    return member ? `${member.name} (${member.email})` : "";
  };
  const offer = useMutation(
    api.workspaces.transfer.mutationOptions({
      onSuccess: () => {
        close();
        say(workspaces.offered);
      },
    }),
  );
  return (
    <DialogForm
      title={workspaces.transfer}
      close={close}
      action={workspaces.offer}
      submit={() => offer.mutate({ id, user_id: chosen })}
      work={offer}
      isDisabled={chosen === ""}
    >
      <p>{workspaces.transferMeans}</p>
      <SelectField
        label={workspaces.newOwner}
        value={chosen}
        values={members.map(({ user_id }) => user_id)}
        textOf={textOf}
        onChange={setChosen}
      />
    </DialogForm>
  );
}
