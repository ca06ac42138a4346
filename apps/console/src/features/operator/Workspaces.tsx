import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Day } from "../../kit/Ago.tsx";
import { TextButton } from "../../kit/Button.tsx";
import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Found, useListInput } from "./Found.tsx";
import { operatorApi } from "./operator-api.ts";
import { Owner } from "./Owner.tsx";

/** Larger workspaces are counted in their panel only. */
const maxCounted = 10_000;

/** All workspaces, newest first, also the ones that people have for themselves; one opens in a panel. */
export function Workspaces() {
  const { operator } = useStrings();
  const query = useQuery(
    operatorApi.workspaces.queryOptions(useListInput(), { placeholderData: keepPreviousData }),
  );
  return (
    <Found
      view="workspaces"
      query={query}
      label={operator.findWorkspaces}
      total={operator.totalWorkspaces}
      columns={[
        operator.workspace,
        operator.owner,
        operator.plan,
        operator.members,
        operator.links,
        operator.state,
        operator.since,
      ]}
      numbers={[3, 4]}
    >
      {(workspace, open) => (
        <tr key={workspace.id}>
          <td>
            <TextButton dir="auto" onClick={open}>
              {workspace.name}
            </TextButton>
            <small>{workspace.personal ? operator.personal : workspace.slug}</small>
          </td>
          <td>
            <Owner email={workspace.owner} />
          </td>
          <td>{workspace.plan}</td>
          <td className="number" data-label={operator.members}>
            {formatCount(workspace.members)}
          </td>
          <td className="number" data-label={operator.links}>
            {workspace.links > maxCounted ? `${formatCount(maxCounted)}+` : formatCount(workspace.links)}
          </td>
          <td className={workspace.suspended_at ? "off" : ""}>
            {[workspace.suspended_at && operator.suspended, workspace.deletes_at && operator.leaving]
              .filter(Boolean)
              .join(" · ")}
          </td>
          <td>
            <Day at={workspace.created_at} />
          </td>
        </tr>
      )}
    </Found>
  );
}
