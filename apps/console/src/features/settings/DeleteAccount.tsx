import { useMe } from "../../kit/api/account.ts";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { tell } from "../../kit/api/channel.ts";
import { rememberLeaving } from "../../kit/api/leaving.ts";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Section } from "../../kit/Section.tsx";
import { Button } from "../../kit/Button.tsx";

const route = getRouteApi("/settings/data");

/** Says what deleting the account means. The address says whether the question is open. */
export function DeleteAccount() {
  const { settings } = useStrings();
  const { delete: isAsked } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Section title={settings.deleteAccount}>
      <ul className="means">
        {settings.deleteMeans.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        <Button isDanger onClick={() => void navigate({ search: { delete: true } })}>
          {settings.deleteAccount}…
        </Button>
      </p>
      {isAsked && <Question close={() => void navigate({ search: {} })} />}
    </Section>
  );
}

function Question({ close }: { close: () => void }) {
  const { settings } = useStrings();
  const me = useMe();
  const [typed, setTyped] = useState("");
  const remove = useMutation(
    api.account.delete.mutationOptions({
      onSuccess: ({ deletes_at }) => {
        rememberLeaving(deletes_at);
        tell({ kind: "signed-out" });
        location.assign("/");
      },
    }),
  );
  const email = me.data?.email ?? "";
  const isRight = email !== "" && typed.trim().toLowerCase() === email.toLowerCase();
  return (
    <DialogForm
      title={settings.deleteAccount}
      close={close}
      submit={() => isRight && remove.mutate()}
      isPending={remove.isPending}
      isDisabled={!isRight}
      isDanger
    >
      <p>{settings.deleteGrace}</p>
      <Field
        label={settings.typeEmail(email)}
        value={typed}
        isCode
        onChange={setTyped}
        error={refusalOf(remove.error)}
      />
    </DialogForm>
  );
}
