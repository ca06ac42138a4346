import type { Member } from "../../kit/api/members.ts";
import { useStrings } from "../../words/strings.tsx";
import { handOver } from "./bulk.ts";
import { HandOverDialog } from "./HandOverDialog.tsx";

/** Asks which member becomes the maker of links, and hands them over. */
export function HandOver({ ids, close }: { ids: readonly string[]; close: () => void }) {
  const strings = useStrings();
  const save = (to: Member) => {
    close();
    void handOver(ids, to, strings);
  };
  return <HandOverDialog count={ids.length} save={save} close={close} />;
}
