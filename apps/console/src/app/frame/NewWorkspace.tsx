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
      submit={() => create.mutate({ name: name.trim() })}
      work={create}
      isPending={create.isPending || create.isSuccess}
      isDisabled={name.trim() === ""}
    >
      <Field
        label={workspaces.name}
        hint={workspaces.nameHint}
        value={name}
        isName
        autoFocus
        onChange={setName}
      />
    </DialogForm>
  );
}
