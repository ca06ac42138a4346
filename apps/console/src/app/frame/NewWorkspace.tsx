import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../kit/api/api.ts";
import { openWorkspace } from "../../kit/api/workspace.ts";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Field } from "../../kit/Field.tsx";
import { useStrings } from "../../words/strings.tsx";

/** The form for a new workspace, which it opens. */
export function NewWorkspace({ close }: { close: () => void }) {
  const { workspaces } = useStrings();
  const [name, setName] = useState("");
  const create = useMutation(
    api.workspaces.create.mutationOptions({ onSuccess: ({ id }) => openWorkspace(id) }),
  );
  return (
    <DialogForm
      title={workspaces.create}
      close={close}
      cancel={close}
      action={workspaces.create}
      submit={() => create.mutate({ name: name.trim() })}
      isPending={create.isPending || create.isSuccess}
      isDisabled={name.trim() === ""}
      error={create.error}
    >
      <Field
        label={workspaces.name}
        hint={workspaces.nameHint}
        value={name}
        maxLength={100}
        autoComplete="off"
        autoFocus
        onChange={setName}
      />
    </DialogForm>
  );
}
