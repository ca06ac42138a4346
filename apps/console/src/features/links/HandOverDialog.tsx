import { useState } from "react";
import { useMe } from "../../kit/api/account.ts";
import { type Member, useTeam } from "../../kit/api/members.ts";
import { SelectField } from "../../kit/Choices.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { useStrings } from "../../words/strings.tsx";

interface HandOverDialogProps {
  count: number;
  save: (to: Member) => void;
  close: () => void;
}

/** Asks which member becomes the maker of links: usually the one who asks. */
export function HandOverDialog({ count, save, close }: HandOverDialogProps) {
  const { linkList: words, people } = useStrings();
  const team = useTeam();
  const me = useMe().data?.id ?? "";
  const [chosen, choose] = useState(me);
  const to = team.find(({ user_id }) => user_id === chosen) ?? team[0];
  const names = new Map(team.map(({ user_id, name }) => [user_id, name]));
  return (
    <DialogForm
      title={words.handOverTitle(count)}
      close={close}
      action={words.handOver}
      submit={() => to && save(to)}
    >
      <SelectField
        label={words.newMaker}
        value={to?.user_id ?? ""}
        values={[...names.keys()]}
        textOf={(id) => (id === me ? `${names.get(id)} · ${people.you}` : (names.get(id) ?? id))}
        onChange={choose}
        autoFocus
        hint={words.handOverHint}
      />
    </DialogForm>
  );
}
