import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { useMe } from "../../kit/api/account.ts";
import { openWorkspace } from "../../kit/api/workspace.ts";
import { Button } from "../../kit/Button.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Download } from "../../kit/Download.tsx";
import { Field } from "../../kit/Field.tsx";
import { Section } from "../../kit/Section.tsx";
import { useStrings } from "../../words/strings.tsx";
import type { Workspace } from "./roles.ts";

/** Takes everything out of a workspace, and ends it; its people stay. */
export function DeleteWorkspace({ workspace }: { workspace: Workspace }) {
  const { workspaces } = useStrings();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Section title={workspaces.exportTitle} lead={workspaces.exportHint}>
        <Download action={workspaces.exportStart} name="terse-workspace.ndjson" of={workspace.id} />
      </Section>
      <Section title={workspaces.delete}>
        <ul className="means">
          {workspaces.deleteMeans.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p>
          <Button isDanger onClick={() => setAsked(true)}>
            {workspaces.delete}…
          </Button>
        </p>
        {isAsked && <Question workspace={workspace} close={() => setAsked(false)} />}
      </Section>
    </>
  );
}

function Question({ workspace: { id, name }, close }: { workspace: Workspace; close: () => void }) {
  const { workspaces } = useStrings();
  const me = useMe().data?.id ?? "";
  const [typed, setTyped] = useState("");
  const remove = useMutation(api.workspaces.delete.mutationOptions({ onSuccess: () => openWorkspace(me) }));
  const isRight = typed.trim().toLowerCase() === name.toLowerCase();
  return (
    <DialogForm
      title={workspaces.deleteTitle(name)}
      close={close}
      action={workspaces.delete}
      submit={() => isRight && remove.mutate({ id })}
      isPending={remove.isPending || remove.isSuccess}
      isDisabled={!isRight}
      isDanger
    >
      <p>{workspaces.deleteGrace}</p>
      <Field
        label={workspaces.typeName(name)}
        value={typed}
        isCode
        onChange={setTyped}
        error={refusalOf(remove.error)}
      />
    </DialogForm>
  );
}
