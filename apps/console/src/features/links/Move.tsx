import type { Workspace } from "../../kit/api/members.ts";
import { useStrings } from "../../words/strings.tsx";
import { moveLinks } from "./bulk.ts";
import { MoveDialog } from "./MoveDialog.tsx";

interface MoveProps {
  ids: readonly string[];
  close: () => void;
  /** Called when they have moved, or could not */
  done: () => void;
}

/** Asks for the workspace that links move to, and moves them. */
export function Move({ ids, close, done }: MoveProps) {
  const strings = useStrings();
  const save = async (to: Workspace) => {
    close();
    await moveLinks(ids, to, strings);
    done();
  };
  return <MoveDialog count={ids.length} save={(to) => void save(to)} close={close} />;
}
