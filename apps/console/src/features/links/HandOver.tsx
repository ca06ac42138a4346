import type { Member, Workspace } from "../../kit/api/members.ts";
import { useStrings } from "../../words/strings.tsx";
import { handOver, moveLinks } from "./bulk.ts";
import { HandOverDialog } from "./HandOverDialog.tsx";
import { MoveDialog } from "./MoveDialog.tsx";

interface Asking {
  ids: readonly string[];
  close: () => void;
}

/** Asks which member becomes the maker of links, and hands them over. */
export function HandOver({ ids, close }: Asking) {
  const strings = useStrings();
  const save = (to: Member) => {
    close();
    void handOver(ids, to, strings);
  };
  return <HandOverDialog count={ids.length} save={save} close={close} />;
}

/** Asks for the workspace that links move to, and moves them. */
export function Move({ ids, close, done }: Asking & { done: () => void }) {
  const strings = useStrings();
  const save = (to: Workspace) => {
    close();
    void moveLinks(ids, to, strings).then(done);
  };
  return <MoveDialog count={ids.length} save={save} close={close} />;
}
