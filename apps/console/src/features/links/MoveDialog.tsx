import { useState } from "react";
import { useOtherWorkspaces, type Workspace } from "../../kit/api/members.ts";
import { SelectField } from "../../kit/Choices.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { useStrings } from "../../words/strings.tsx";

interface MoveDialogProps {
  count: number;
  save: (to: Workspace) => void;
  close: () => void;
}

/** Asks for the workspace that links move to. */
export function MoveDialog({ count, save, close }: MoveDialogProps) {
  const { linkList: words, workspaces } = useStrings();
  const others = useOtherWorkspaces();
  const [chosen, choose] = useState("");
  const to = others.find(({ id }) => id === chosen) ?? others[0];
  const nameOf = (id: string) => {
    const { name, personal, role } = others.find((each) => each.id === id) ?? {};
    return personal && role === "owner" ? `${name} · ${workspaces.personal}` : (name ?? id);
  };
  return (
    <DialogForm
      title={words.moveTitle(count)}
      close={close}
      action={words.move}
      submit={() => to && save(to)}
    >
      <SelectField
        label={words.moveTo}
        value={to?.id ?? ""}
        values={others.map(({ id }) => id)}
        textOf={nameOf}
        onChange={choose}
        autoFocus
        hint={words.moveHint}
      />
    </DialogForm>
  );
}
