import { useRef, useState } from "react";
import type { Answers } from "../../kit/api/answers.ts";
import { later, skeleton } from "../../kit/later.tsx";
import { SmallDialog } from "../../kit/SmallDialog.tsx";
import { useStrings } from "../../words/strings.tsx";

const Workspaces = later(() => import("./Workspaces.tsx"), "Workspaces", skeleton);
const NewWorkspace = later(() => import("./NewWorkspace.tsx"), "NewWorkspace");

/** The workspace that is shown, which opens the list of all. */
export function Switcher({
  workspace: { id, name },
  plan,
}: {
  workspace: Answers["users"]["me"]["workspace"];
  plan: string;
}) {
  const { workspaces } = useStrings();
  const [open, setOpen] = useState<"list" | "new" | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="account"
        aria-haspopup="dialog"
        aria-label={workspaces.current(`${name} ${plan}`)}
        onClick={() => setOpen("list")}
      >
        <span className="initial" data-initial={Array.from(name, (letter) => letter.toUpperCase())[0]} />
        <strong dir="auto">{name}</strong> <span>{plan}</span>
      </button>
      {open === "list" && (
        <SmallDialog trigger={trigger} title={workspaces.title} close={close}>
          <Workspaces current={id} create={() => setOpen("new")} close={close} />
        </SmallDialog>
      )}
      {open === "new" && <NewWorkspace close={close} />}
    </>
  );
}
