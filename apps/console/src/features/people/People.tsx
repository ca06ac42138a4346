import { useMay } from "../../kit/api/account.ts";
import { Invitations } from "./Invitations.tsx";
import { Members } from "./Members.tsx";

/** Who is in the workspace, with which role, and who is invited. */
export function People() {
  const mayInvite = useMay("members");
  return (
    <>
      <Members />
      {mayInvite && <Invitations />}
    </>
  );
}
