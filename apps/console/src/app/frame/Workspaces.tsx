import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mayDo } from "@terse/core/browser";
import { Day } from "../../kit/Ago.tsx";
import { useMe } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { openWorkspace } from "../../kit/api/workspace.ts";
import { TextButton } from "../../kit/Button.tsx";
import { Wrong } from "../../kit/Field.tsx";
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
  const me = useMe().data?.id;
  const list = useQuery(api.workspaces.list.queryOptions({}));
  const restore = useMutation(api.workspaces.restore.mutationOptions());
  return (
    <>
      <Loaded query={list}>
        {(all) => (
          <ul className="workspaces" aria-label={workspaces.title}>
            {all.map(({ id, name, role, personal, deletes_at, offered_to }) => (
              <li key={id}>
                {deletes_at === null ? (
                  <button
                    type="button"
                    aria-current={id === current || undefined}
                    onClick={() => (id === current ? close() : openWorkspace(id))}
                  >
                    <strong dir="auto">{name}</strong>
                    <span>
                      {personal && role === "owner" ? workspaces.personal : people.roles[role]}
                      {offered_to !== null && offered_to === me && ` · ${workspaces.isOffered}`}
                    </span>
                    {id === current && <Icon name="check" />}
                  </button>
                ) : (
                  <p className="line deleted">
                    <span>
                      <s dir="auto">{name}</s> <Day at={deletes_at} say={workspaces.erasedOn} />
                    </span>
                    {mayDo(role, "account") && !personal && (
                      <TextButton
                        disabled={restore.isPending}
                        aria-label={workspaces.restoreOne(name)}
                        onClick={() => restore.mutate({ id })}
                      >
                        {workspaces.restore}
                      </TextButton>
                    )}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Wrong>{refusalOf(restore.error)}</Wrong>
      <p className="line">
        <TextButton onClick={create}>{workspaces.create}</TextButton>
        <Link to="/settings/people" onClick={close}>
          {people.title}
        </Link>
      </p>
    </>
  );
}
