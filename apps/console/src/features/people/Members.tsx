import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useMe } from "../../kit/api/account.ts";
import { api, refresh, refusalOf } from "../../kit/api/api.ts";
import type { Member } from "../../kit/api/members.ts";
import { openWorkspace } from "../../kit/api/workspace.ts";
import { Ago, Day } from "../../kit/Ago.tsx";
import { TextButton } from "../../kit/Button.tsx";
import { Select } from "../../kit/Choices.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { type GivenRole, useGivenRoles } from "./roles.ts";

/** The members, whose roles admins change. Everyone but the owner may leave. */
export function Members() {
  const { people } = useStrings();
  const members = useQuery(api.members.list.queryOptions());
  const [leaving, setLeaving] = useState<Member | null>(null);
  const name = useMe().data?.workspace.name ?? "";
  return (
    <Section title={people.title} lead={people.lead(name)}>
      <Loaded query={members}>
        {(all) => (
          <ul className="rows" aria-label={people.members}>
            {all.map((member) => (
              <Row key={member.user_id} member={member} remove={() => setLeaving(member)} />
            ))}
          </ul>
        )}
      </Loaded>
      <dl className="roles">
        {(["owner", "admin", "editor", "viewer"] as const).map((role) => (
          <div key={role}>
            <dt>{people.roles[role]}</dt>
            <dd>{people.roleMeans[role]}</dd>
          </div>
        ))}
      </dl>
      {leaving && <Remove member={leaving} close={() => setLeaving(null)} />}
    </Section>
  );
}

function Row({ member, remove }: { member: Member; remove: () => void }) {
  const { people } = useStrings();
  const { user_id, name, email, role, via, joined_at, last_seen_at } = member;
  const isOneself = useMe().data?.id === user_id;
  const mayManage = useMay("members");
  const given = useGivenRoles();
  const isOwner = role === "owner";
  const mayChange = mayManage && !isOwner && given.includes(role);
  return (
    <li>
      <div>
        <p>
          <b dir="auto">{name}</b>
          {isOneself && <b className="good"> · {people.you}</b>} <span className="soft">{email}</span>
        </p>
        <p className="note">
          {people.via[via]} <Day at={joined_at} />
          {last_seen_at && (
            <>
              {" · "}
              <Ago at={last_seen_at} say={people.lastSeen} />
            </>
          )}
        </p>
      </div>
      <span className="moves">
        {mayChange ? <RoleField member={{ ...member, role }} roles={given} /> : people.roles[role]}
        {!isOwner && (isOneself || mayChange) && (
          <TextButton aria-label={isOneself ? people.leave : people.removeOne(name)} onClick={remove}>
            {isOneself ? people.leave : people.remove}
          </TextButton>
        )}
      </span>
    </li>
  );
}

interface RoleFieldProps {
  member: Member & { role: GivenRole };
  roles: readonly GivenRole[];
}

function RoleField({ member: { user_id, name, role }, roles }: RoleFieldProps) {
  const { people } = useStrings();
  const update = useMutation(
    api.members.update.mutationOptions({
      onSuccess: (member) => say(people.changed(name, people.roles[member.role])),
      onError: (error) => say(refusalOf(error) ?? error.message),
      // It may have been one's own.
      onSettled: () => refresh("users"),
    }),
  );
  return (
    <Select
      aria-label={people.roleOf(name)}
      value={update.isPending ? update.variables.role : role}
      values={roles}
      textOf={(each) => people.roles[each]}
      onChange={(next) => update.mutate({ user_id, role: next })}
    />
  );
}

function Remove({ member: { user_id, name }, close }: { member: Member; close: () => void }) {
  const { people } = useStrings();
  const me = useMe().data;
  const isOneself = me?.id === user_id;
  const remove = useMutation(
    api.members.remove.mutationOptions({
      onSuccess: () => {
        if (me && isOneself) return openWorkspace(me.id);
        close();
        say(people.removed(name));
      },
    }),
  );
  return (
    <Confirm
      title={isOneself ? people.leaveTitle(me.workspace.name) : people.removeOne(name)}
      action={isOneself ? people.leave : people.remove}
      isPending={remove.isPending}
      error={refusalOf(remove.error)}
      close={close}
      onConfirm={() => remove.mutate({ user_id })}
    >
      <p>{isOneself ? people.leaveMeans : people.removeMeans}</p>
    </Confirm>
  );
}
