import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { Ago } from "../../kit/Ago.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Field, Wrong } from "../../kit/Field.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { SelectField } from "../../kit/Choices.tsx";
import { Form } from "../../kit/DialogForm.tsx";
import { TextButton } from "../../kit/Button.tsx";
import { type ReportState, subjectOf } from "./search.ts";

const kinds = ["silence", "surge"] as const;

/** Creates an alert about what the report is about, and lists those of the account. */
export function Alerts({ state, close }: { state: ReportState; close: () => void }) {
  const { alerts } = useStrings();
  const subject = subjectOf(state);
  const [kind, setKind] = useState<(typeof kinds)[number]>("silence");
  const [hours, setHours] = useState("24");
  const [factor, setFactor] = useState("3");
  const create = useMutation(api.alerts.create.mutationOptions());
  const submit = () =>
    create.mutate({
      ...subject,
      ...(kind === "silence" ? { kind, hours: Number(hours) } : { kind, factor: Number(factor) }),
    });
  return (
    <Overlay title={alerts.title} close={close}>
      <div className="form">
        <Form action={alerts.create} submit={submit} work={create}>
          <p>{subject.link_id ? alerts.ofLink : subject.tag ? alerts.ofTag(subject.tag) : alerts.ofAll}</p>
          <SelectField
            label={alerts.when}
            value={kind}
            values={kinds}
            textOf={(each) => alerts.kinds[each]}
            onChange={setKind}
          />
          {kind === "silence" ? (
            <Field
              label={alerts.hours}
              type="number"
              min={1}
              max={2160}
              required
              value={hours}
              onChange={setHours}
            />
          ) : (
            <Field
              label={alerts.factor}
              hint={alerts.factorHint}
              type="number"
              min={1.5}
              max={1000}
              step={0.1}
              required
              value={factor}
              onChange={setFactor}
            />
          )}
          <p className="note">{alerts.byWebhook}</p>
        </Form>
        <AlertList />
      </div>
    </Overlay>
  );
}

function AlertList() {
  const { alerts } = useStrings();
  const list = useQuery(api.alerts.list.queryOptions());
  const remove = useMutation(api.alerts.delete.mutationOptions());
  return (
    <section aria-label={alerts.alerts}>
      <h3>{alerts.alerts}</h3>
      <Rows query={list} none={alerts.none}>
        {({ id, name, kind, hours, factor, fired_at }) => (
          <li>
            <div>
              <p>
                <b dir="auto">{name}</b>
              </p>
              <p className="note">
                {kind === "silence" ? alerts.noClickFor(hours ?? 0) : alerts.timesUsual(factor ?? 0)}
                {" · "}
                {fired_at ? <Ago at={fired_at} say={alerts.fired} /> : alerts.neverFired}
              </p>
            </div>
            <TextButton
              aria-label={alerts.deleteOne(name)}
              disabled={remove.isPending}
              onClick={() => remove.mutate({ id })}
            >
              {alerts.delete}
            </TextButton>
          </li>
        )}
      </Rows>
      <Wrong>{refusalOf(remove.error)}</Wrong>
    </section>
  );
}
