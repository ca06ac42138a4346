import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { Button, TextButton } from "../../kit/Button.tsx";
import { DialogForm } from "../../kit/DialogForm.tsx";
import { Field } from "../../kit/Field.tsx";
import { errorIn, errorsOf } from "../../kit/issues.ts";
import { Section } from "../../kit/Section.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { RoleField } from "./RoleField.tsx";
import type { GivenRole, Workspace } from "./roles.ts";

type JoinDomain = Workspace["join_domains"][number] & { role: GivenRole };

/** The mail domains whose people may join the workspace without an invitation. */
export function JoinDomains() {
  const { people } = useStrings();
  const id = useMe().data?.workspace.id ?? "";
  const workspace = useQuery(api.workspaces.get.queryOptions({ id }, { enabled: id !== "" }));
  const domains = workspace.data?.join_domains as JoinDomain[] | undefined;
  const [isOpen, setOpen] = useState(false);
  const update = useMutation(
    api.workspaces.update.mutationOptions({
      onSuccess: () => setOpen(false),
      onError: (error) => isOpen || say(refusalOf(error) ?? error.message),
    }),
  );
  if (domains === undefined) return null;
  const save = (join_domains: JoinDomain[]) => update.mutate({ id, join_domains });
  return (
    <Section
      title={people.joinDomains}
      lead={people.joinDomainsHint}
      action={<Button onClick={() => setOpen(true)}>{people.addJoinDomain}</Button>}
    >
      {domains.length > 0 && (
        <ul className="rows">
          {domains.map(({ domain, role }) => (
            <li key={domain}>
              <p>
                <b>{domain}</b> <span className="soft">{people.roles[role]}</span>
              </p>
              <TextButton
                disabled={update.isPending}
                aria-label={people.removeOne(domain)}
                onClick={() => save(domains.filter((each) => each.domain !== domain))}
              >
                {people.remove}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <NewDomain
          add={(added) => save([...domains.filter(({ domain }) => domain !== added.domain), added])}
          work={update}
          close={() => {
            update.reset();
            setOpen(false);
          }}
        />
      )}
    </Section>
  );
}

interface NewDomainProps {
  add: (domain: JoinDomain) => void;
  work: { isPending: boolean; error: unknown };
  close: () => void;
}

function NewDomain({ add, work, close }: NewDomainProps) {
  const strings = useStrings();
  const { people } = strings;
  const [domain, setDomain] = useState("");
  const [role, setRole] = useState<GivenRole>("viewer");
  return (
    <DialogForm
      title={people.addJoinDomain}
      close={close}
      action={people.addJoinDomain}
      submit={() => add({ domain: domain.trim().toLowerCase(), role })}
      isPending={work.isPending}
      isDisabled={domain.trim() === ""}
    >
      <Field
        label={people.joinDomain}
        hint={people.joinDomainHint}
        error={errorIn(errorsOf(work.error, strings), "")}
        isCode
        value={domain}
        autoFocus
        onChange={setDomain}
      />
      <RoleField role={role} onChange={setRole} />
    </DialogForm>
  );
}
