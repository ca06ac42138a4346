import type { Permission } from "@terse/core/browser";
import { useMay, useMe } from "./api/account.ts";
import { useStrings } from "../words/strings.tsx";

/** Says why a screen offers no changes, if the person's role does not allow them. */
export function RoleNote({ permission }: { permission: Permission }) {
  const { people } = useStrings();
  const role = useMe().data?.workspace.role;
  const isAllowed = useMay(permission);
  return role === undefined || isAllowed ? null : <p className="note">{people.mayNot(people.roles[role])}</p>;
}
