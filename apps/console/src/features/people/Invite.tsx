import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../kit/api/api.ts";
import { useHasEmail } from "../../kit/api/providers.ts";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Field } from "../../kit/Field.tsx";
import { useFocusWrong } from "../../kit/focus.ts";
import { errorIn, errorsOf } from "../../kit/issues.ts";
import { SecretDialog } from "../../kit/SecretDialog.tsx";
import { useStrings } from "../../words/strings.tsx";
import { RoleField } from "./RoleField.tsx";
import type { GivenRole } from "./roles.ts";

/** The form for an invitation, by e-mail or by a link, then its address, once. */
export function Invite({ close }: { close: () => void }) {
  const strings = useStrings();
  const { people } = strings;
  const hasEmail = useHasEmail();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<GivenRole>("editor");
  const create = useMutation(api.invitations.create.mutationOptions());
  const form = useRef<HTMLFormElement>(null);
  useFocusWrong(form, create.error);
  if (create.data)
    return (
      <SecretDialog
        title={people.inviteReady}
        lead={people.inviteOnce}
        secret={create.data.url}
        label={people.inviteLink}
        copy={people.copyLink}
        close={close}
      >
        <p className="note">
          {create.data.email === null ? people.inviteAnyone : people.inviteOnly(create.data.email)}{" "}
          {create.data.email !== null && hasEmail && people.inviteMailed}
        </p>
      </SecretDialog>
    );
  return (
    <DialogForm
      ref={form}
      title={people.invite}
      close={close}
      action={people.makeInvitation}
      submit={() => create.mutate({ role, ...(email.trim() && { email: email.trim() }) })}
      work={create}
    >
      <Field
        label={people.inviteEmail}
        hint={people.inviteEmailHint}
        error={errorIn(errorsOf(create.error, strings), "email")}
        type="email"
        isCode
        value={email}
        autoFocus
        onChange={setEmail}
      />
      <RoleField role={role} onChange={setRole} />
    </DialogForm>
  );
}
