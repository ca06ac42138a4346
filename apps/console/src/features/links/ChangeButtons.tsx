import { useState } from "react";
import { useHas, useMay } from "../../kit/api/account.ts";
import { type Member, useOtherWorkspaces, useTeam, type Workspace } from "../../kit/api/members.ts";
import { Button } from "../../kit/Button.tsx";
import { later } from "../../kit/later.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { useStrings } from "../../words/strings.tsx";
import type { Retagging } from "./bulk.ts";

const ExpireDialog = later(() => import("./ExpireDialog.tsx"), "ExpireDialog");
const HandOverDialog = later(() => import("./HandOverDialog.tsx"), "HandOverDialog");
const MoveDialog = later(() => import("./MoveDialog.tsx"), "MoveDialog");
const TagDialog = later(() => import("./TagDialog.tsx"), "TagDialog");

interface ChangeButtonsProps {
  /** How many links are changed */
  count: number;
  setActive: (isActive: 0 | 1) => void;
  /** Called with the time as ISO 8601, null for none */
  expire: (expiresAt: string | null) => void;
  retag: (retagging: Retagging) => void;
  handOver: (to: Member) => void;
  move: (to: Workspace) => void;
  remove: () => void;
}

/** Switches links off and on, ends them, changes their tags, hands them over, moves and deletes them; for those who may. */
export function ChangeButtons({
  count,
  setActive,
  expire,
  retag,
  handOver,
  move,
  remove,
}: ChangeButtonsProps) {
  const { linkList: words, builder, tags } = useStrings();
  const [asks, setAsks] = useState<"expiry" | "tags" | "maker" | "workspace" | null>(null);
  const isShared = useTeam().length > 0;
  const canMove = useOtherWorkspaces().length > 0;
  const mayChange = useMay("links:write");
  const isLocked = useHas("link_options") === false;
  const close = () => setAsks(null);
  const and =
    <Value,>(change: (value: Value) => void) =>
    (value: Value) => {
      close();
      change(value);
    };
  if (!mayChange) return null;
  return (
    <>
      <Button onClick={() => setActive(0)}>{words.switchOff}</Button>
      <Button onClick={() => setActive(1)}>{words.switchOn}</Button>
      <Button disabled={isLocked} onClick={() => setAsks("expiry")}>
        {isLocked ? `${words.expire} (${builder.pro})` : words.expire}
      </Button>
      <Button onClick={() => setAsks("tags")}>
        {tags.title}
        <Shortcut name="t" meaning={tags.title} run={() => setAsks("tags")} />
      </Button>
      {isShared && <Button onClick={() => setAsks("maker")}>{words.handOver}…</Button>}
      {canMove && <Button onClick={() => setAsks("workspace")}>{words.move}…</Button>}
      <Button isDanger onClick={remove}>
        {words.delete}
      </Button>
      {asks === "maker" && <HandOverDialog count={count} save={and(handOver)} close={close} />}
      {asks === "workspace" && <MoveDialog count={count} save={and(move)} close={close} />}
      {asks === "expiry" && <ExpireDialog count={count} save={and(expire)} close={close} />}
      {asks === "tags" && <TagDialog count={count} save={and(retag)} close={close} />}
    </>
  );
}
