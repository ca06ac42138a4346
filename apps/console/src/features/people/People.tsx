import { useMay, useMe } from "../../kit/api/account.ts";
import { Invitations } from "./Invitations.tsx";
import { JoinDomains } from "./JoinDomains.tsx";
import { Members } from "./Members.tsx";

/** Who is in the workspace, with which role, and who is invited. */
export function People() {
  const mayInvite = useMay("members");
  const isShared = useMe().data?.workspace.personal === false;
  return (
    <>
      <Members />
      {mayInvite && <Invitations />}
      {mayInvite && isShared && <JoinDomains />}
    </>
  );
}
