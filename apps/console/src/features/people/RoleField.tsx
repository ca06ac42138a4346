import { SelectField } from "../../kit/Choices.tsx";
import { useStrings } from "../../words/strings.tsx";
import { type GivenRole, useGivenRoles } from "./roles.ts";

/** Asks for a role that the person may give, and says what it means. */
export function RoleField({ role, onChange }: { role: GivenRole; onChange: (role: GivenRole) => void }) {
  const { people } = useStrings();
  return (
    <SelectField
      label={people.role}
      hint={people.roleMeans[role]}
      value={role}
      values={useGivenRoles()}
      textOf={(each) => people.roles[each]}
      onChange={onChange}
    />
  );
}
