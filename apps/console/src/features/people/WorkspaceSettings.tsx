import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useMe } from "../../kit/api/account.ts";
import { api } from "../../kit/api/api.ts";
import { Form } from "../../kit/DialogForm.tsx";
import { Field } from "../../kit/Field.tsx";
import { errorIn, errorsOf } from "../../kit/issues.ts";
import { Loaded } from "../../kit/Loaded.tsx";
import { RoleNote } from "../../kit/RoleNote.tsx";
import { Section } from "../../kit/Section.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { DeleteWorkspace } from "./DeleteWorkspace.tsx";
import { Ownership } from "./Ownership.tsx";
import type { Workspace } from "./roles.ts";

/** The name of the workspace that is shown, who owns it, and its end. */
export function WorkspaceSettings() {
  const { workspaces } = useStrings();
  const id = useMe().data?.workspace.id ?? "";
  const workspace = useQuery(api.workspaces.get.queryOptions({ id }, { enabled: id !== "" }));
  const isOwner = useMay("account");
  return (
    <Loaded query={workspace}>
      {(shown) => (
        <>
          <Names key={`${shown.name} ${shown.slug}`} workspace={shown} />
          {!shown.personal && <Ownership workspace={shown} />}
          {!shown.personal && isOwner && <DeleteWorkspace workspace={shown} />}
          {shown.personal && <p className="note">{workspaces.personalHint}</p>}
        </>
      )}
    </Loaded>
  );
}

function Names({ workspace }: { workspace: Workspace }) {
  const strings = useStrings();
  const { workspaces, settings } = strings;
  const mayChange = useMay("members");
  const [name, setName] = useState(workspace.name);
  const [slug, setSlug] = useState(workspace.slug);
  const update = useMutation(
    api.workspaces.update.mutationOptions({ onSuccess: () => say(workspaces.saved) }),
  );
  const errors = errorsOf(update.error, strings);
  const changes = {
    ...(name.trim() !== workspace.name && { name: name.trim() }),
    ...(slug.trim() !== workspace.slug && { slug: slug.trim() }),
  };
  return (
    <Section title={settings.sections.workspace} lead={workspaces.nameHint}>
      <RoleNote permission="members" />
      <Form
        action={workspaces.save}
        submit={() => update.mutate({ id: workspace.id, ...changes })}
        work={update}
        isDisabled={!mayChange || name.trim() === "" || Object.keys(changes).length === 0}
      >
        <Field
          label={workspaces.name}
          value={name}
          isName
          disabled={!mayChange}
          error={errorIn(errors, "name")}
          onChange={setName}
        />
        {!workspace.personal && (
          <Field
            label={workspaces.slug}
            hint={workspaces.slugHint}
            isCode
            value={slug}
            maxLength={40}
            disabled={!mayChange}
            error={errorIn(errors, "slug")}
            onChange={setSlug}
          />
        )}
      </Form>
    </Section>
  );
}
