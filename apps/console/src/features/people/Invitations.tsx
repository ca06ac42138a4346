import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { Day } from "../../kit/Ago.tsx";
import { MainButton, TextButton } from "../../kit/Button.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { Section } from "../../kit/Section.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Invite } from "./Invite.tsx";

/** Invitations that nobody has accepted yet. */
export function Invitations() {
  const { people } = useStrings();
  const [isOpen, setOpen] = useState(false);
  const invitations = useQuery(api.invitations.list.queryOptions());
  const withdraw = useMutation(
    api.invitations.withdraw.mutationOptions({
      onSuccess: () => say(people.withdrawn),
      onError: (error) => say(refusalOf(error) ?? error.message),
    }),
  );
  return (
    <Section
      title={people.invitations}
      lead={people.invitationsHint}
      action={
        <MainButton onClick={() => setOpen(true)}>
          {people.invite}
          <Shortcut name="n" meaning={people.invite} run={() => setOpen(true)} />
        </MainButton>
      }
    >
      <Rows query={invitations} none={people.noInvitations}>
        {({ id, email, role, invited_by, expires_at }) => (
          <li>
            <div>
              <p>
                <b>{email ?? people.anyone}</b> <span className="soft">{people.roles[role]}</span>
              </p>
              <p className="note">
                {invited_by && <>{people.invitedBy(invited_by.name)} · </>}
                <Day at={expires_at} say={people.until} />
              </p>
            </div>
            <TextButton
              disabled={withdraw.isPending}
              aria-label={people.withdrawOne(email ?? people.anyone)}
              onClick={() => withdraw.mutate({ id })}
            >
              {people.withdraw}
            </TextButton>
          </li>
        )}
      </Rows>
      {isOpen && <Invite close={() => setOpen(false)} />}
    </Section>
  );
}
