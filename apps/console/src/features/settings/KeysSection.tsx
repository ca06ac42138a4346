import { useMay } from "../../kit/api/account.ts";
import { RoleNote } from "../../kit/RoleNote.tsx";
import { Connections } from "./Connections.tsx";
import { Keys } from "./Keys.tsx";

/** How programs act for the workspace: with keys, or because one signed in to them. */
export function KeysSection() {
  const mayManage = useMay("keys");
  return (
    <>
      {mayManage ? <Keys /> : <RoleNote permission="keys" />}
      <Connections />
    </>
  );
}
