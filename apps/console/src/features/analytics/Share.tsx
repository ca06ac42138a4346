import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { formatExact } from "../../kit/format/format.ts";
import { Ago } from "../../kit/Ago.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { useStrings } from "../../words/strings.tsx";
import { CopiedText } from "../../kit/CopiedText.tsx";
import { Field, Wrong } from "../../kit/Field.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { SelectField } from "../../kit/Choices.tsx";
import { Form } from "../../kit/DialogForm.tsx";
import { TextButton } from "../../kit/Button.tsx";
import { type ReportState, subjectOf } from "./search.ts";

const dayMs = 86_400_000;
const lifetimes = [7, 30, 90, 366] as const;
/** Whole days fit into the longest time that the service takes. */
const marginMs = 60_000;

/** Shares a report under a secret address, and lists those that are shared. */
export function Share({ state, close }: { state: ReportState; close: () => void }) {
  const { share } = useStrings();
  const subject = subjectOf(state);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [days, setDays] = useState<(typeof lifetimes)[number]>(30);
  const create = useMutation(api.sharedReports.create.mutationOptions());
  const submit = () =>
    create.mutate({
      ...subject,
      ...(name.trim() && { name: name.trim() }),
      ...(password && { password }),
      expires_at: new Date(Date.now() + days * dayMs - marginMs).toISOString(),
    });
  return (
    <Overlay title={share.title} close={close} isDismissable={!create.data}>
      <div className="form">
        {create.data ? (
          <>
            <p role="status">{share.once}</p>
            <CopiedText value={create.data.url} label={share.address} action={share.copy} autoFocus />
          </>
        ) : (
          <Form action={share.start} submit={submit} work={create}>
            <p>{subject.link_id ? share.ofLink : subject.tag ? share.ofTag(subject.tag) : share.ofAll}</p>
            <Field label={share.name} hint={share.nameHint} value={name} isName onChange={setName} />
            <Field
              label={share.password}
              type="password"
              value={password}
              minLength={4}
              maxLength={200}
              autoComplete="new-password"
              onChange={setPassword}
            />
            <SelectField
              label={share.ends}
              value={days}
              values={lifetimes}
              textOf={share.inDays}
              onChange={setDays}
            />
          </Form>
        )}
        <SharedReports />
      </div>
    </Overlay>
  );
}

/** The account's shared reports that have not ended. A revoked one can be shared again under the same address. */
function SharedReports() {
  const { share } = useStrings();
  const reports = useQuery(
    api.sharedReports.list.queryOptions(undefined, {
      select: (all) => all.filter(({ expires_at }) => Date.parse(expires_at) > Date.now()),
    }),
  );
  const update = useMutation(api.sharedReports.update.mutationOptions());
  return (
    <section aria-label={share.shared}>
      <h3>{share.shared}</h3>
      <Rows query={reports} none={share.none}>
        {(report) => (
          <li>
            <div>
              <p>
                <b dir="auto">{report.name}</b>{" "}
                <span className="soft">
                  {[!report.active && share.revoked, report.has_password && share.withPassword]
                    .filter((text) => text !== false)
                    .join(", ")}
                </span>
              </p>
              <p className="note">
                {share.until(formatExact(report.expires_at))}
                {" · "}
                {report.last_opened_at ? (
                  <Ago at={report.last_opened_at} say={share.opened} />
                ) : (
                  share.neverOpened
                )}
              </p>
            </div>
            <TextButton
              aria-label={(report.active ? share.revokeOne : share.undoOne)(report.name)}
              disabled={update.isPending}
              onClick={() => update.mutate({ id: report.id, active: !report.active })}
            >
              {report.active ? share.revoke : share.undo}
            </TextButton>
          </li>
        )}
      </Rows>
      <Wrong>{refusalOf(update.error)}</Wrong>
    </section>
  );
}
