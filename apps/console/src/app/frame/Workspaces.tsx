import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../kit/api/api.ts";
import { openWorkspace } from "../../kit/api/workspace.ts";
import { TextButton } from "../../kit/Button.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { useStrings } from "../../words/strings.tsx";

interface WorkspacesProps {
  /** The id of the one that is shown */
  current: string;
  create: () => void;
  close: () => void;
}

/** All workspaces of the person; one press opens another, on the same screen. */
export function Workspaces({ current, create, close }: WorkspacesProps) {
  const { workspaces, people } = useStrings();
  const list = useQuery(api.workspaces.list.queryOptions({}));
  return (
    <>
      <Loaded query={list}>
        {(all) => (
          <ul className="workspaces" aria-label={workspaces.title}>
            {all
              .filter(({ deletes_at }) => deletes_at === null)
              .map(({ id, name, role, personal }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-current={id === current || undefined}
                    onClick={() => (id === current ? close() : openWorkspace(id))}
                  >
                    <strong dir="auto">{name}</strong>
                    <span>{personal && role === "owner" ? workspaces.personal : people.roles[role]}</span>
                    {id === current && <Icon name="check" />}
                  </button>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
      <p className="line">
        <TextButton onClick={create}>{workspaces.create}</TextButton>
        <Link to="/settings/people" onClick={close}>
          {people.title}
        </Link>
      </p>
    </>
  );
}
