import { type ReactNode, useState } from "react";
import { CheckList, Select } from "../Choices.tsx";
import { Confirm } from "../Confirm.tsx";
import { CopiedText } from "../CopiedText.tsx";
import { CountryField } from "../CountryField.tsx";
import { DayField } from "../DayField.tsx";
import { Field, Wrong } from "../Field.tsx";
import { FormPanel } from "../FormPanel.tsx";
import { Icon } from "../Icon.tsx";
import { Moves } from "../Moves.tsx";
import { PopoverButton } from "../PopoverButton.tsx";
import { Rows } from "../Rows.tsx";
import { Section } from "../Section.tsx";
import { TimeField } from "../TimeField.tsx";
import { UrlField } from "../UrlField.tsx";
import { MainButton, TextButton } from "../Button.tsx";

export type Opened = "confirm" | "panel" | null;

const nothing = () => {};
const long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsurkunde";
const looks = ["button", "button secondary", "button danger", "button secondary danger", "text-button"];
/** Pseudo-classes that the photographer forces; a person has a mouse and a keyboard. */
const states = ["", "hover", "focus-visible"];
const labels = { up: "Up", down: "Down", remove: "Remove" };

/** Every component of the kit in every state, for the eye, for pictures and for axe. */
export function Kit({ open = null }: { open?: Opened }) {
  return (
    <div className="sections" style={{ padding: 24, maxWidth: 1000 }}>
      <h1>The kit</h1>
      <Buttons />
      <Fields />
      <Choices />
      <Times />
      <Lists />
      <Tables />
      <States />
      <Section title="Dialogs">
        <Line>
          <PopoverButton className="button secondary" text="Popover" title="Popover">
            {() => <p>Escape closes it.</p>}
          </PopoverButton>
        </Line>
        <Opening open={open} />
      </Section>
    </div>
  );
}

const Line = ({ children }: { children: ReactNode }) => <div className="inline">{children}</div>;

function Buttons() {
  return (
    <Section title="Buttons" lead="At rest, under the pointer, with the focus, disabled, at work.">
      {looks.map((look) => (
        <Line key={look}>
          {states.map((state) => (
            <button key={state} type="button" className={look} data-state={state}>
              {state === "" ? look : state}
            </button>
          ))}
          <button type="button" className={look} disabled>
            disabled
          </button>
          <button type="button" className={look} aria-disabled>
            at work
          </button>
        </Line>
      ))}
      <Line>
        <MainButton>
          <Icon name="plus" /> With an icon <kbd>C</kbd>
        </MainButton>
        <span className="moves">
          <Moves labels={labels} isFirst isLast={false} move={nothing} remove={nothing} />
        </span>
      </Line>
    </Section>
  );
}

function Fields() {
  return (
    <Section title="Fields">
      <div className="form">
        <Field label="Empty" placeholder="A placeholder" hint="A hint below the field" />
        <Field label="Filled" defaultValue={long} data-state="focus-visible" />
        <Field label="Wrong" defaultValue="launch" error="This slug is taken. Choose another one." />
        <Field label="Disabled" disabled />
        <Field label="From right to left" defaultValue="رابط قصير" dir="rtl" />
        <UrlField label="A mistyped URL" value="htps://example.com" onChange={nothing} />
        <div className="field">
          <button type="button" className="tag-chip">
            <span>{long}</span> <span aria-hidden="true">×</span>
          </button>
        </div>
        <Wrong>What is wrong with all of it</Wrong>
      </div>
    </Section>
  );
}

function Choices() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(["link.created"]));
  return (
    <Section title="Choices">
      <div className="segments" role="radiogroup" aria-label="Segments">
        {["7 days", "30 days", "90 days"].map((name, at) => (
          <label key={name}>
            <input type="radio" name="segments" defaultChecked={at === 1} />
            {name}
          </label>
        ))}
      </div>
      <Select aria-label="A list" value="one" values={["one", long]} onChange={nothing} />
      <CheckList
        names={["link.created", "link.deleted"]}
        meaningOf={(name) => `a link is ${name.slice(5)}`}
        chosen={chosen}
        onChange={setChosen}
      />
      <CountryField label="Country" value="DE" onChange={nothing} />
    </Section>
  );
}

function Times() {
  return (
    <Section title="Times">
      <TimeField label="Filled" value="2031-01-31T13:30:00.000Z" onChange={nothing} />
      <TimeField label="Disabled" value="2031-01-31T13:30:00.000Z" onChange={nothing} isDisabled />
      <DayField label="Wrong" value="2031-01-31" onChange={nothing} error="Choose a day in the past." />
    </Section>
  );
}

function Lists() {
  const rows = [{ id: "Production" }, { id: long }];
  return (
    <Section title="Rows">
      <Rows query={{ data: rows, error: null, refetch: nothing }} none="">
        {({ id }) => (
          <li>
            <div>
              <b>{id}</b>
              <p className="note">used 3 hours ago</p>
            </div>
            <span className="moves">
              <TextButton>Revoke</TextButton>
            </span>
          </li>
        )}
      </Rows>
      <Rows query={{ data: undefined as typeof rows | undefined, error: null, refetch: nothing }} none="">
        {() => null}
      </Rows>
    </Section>
  );
}

const countries = [
  ["Germany", "12,480", "58 %"],
  ["Côte d’Ivoire", "8", "0 %"],
] as const;

function Tables() {
  return (
    <Section title="Tables">
      {["table", "listing"].map((look) => (
        <div key={look} className={look === "listing" ? "sheet" : ""}>
          <table className={look}>
            <thead>
              <tr>
                {["Country", "Clicks", "Share"].map((name, at) => (
                  <th key={name} scope="col" className={at > 0 ? "number" : ""}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {countries.map(([name, ...cells]) => (
                <tr key={name}>
                  <td>{name}</td>
                  {cells.map((cell) => (
                    <td key={cell} className="number">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </Section>
  );
}

function States() {
  return (
    <Section title="States">
      <CopiedText value="sk_live_4eC39HqLyjWDarjtT1zdp7dc" label="the key" action="Copy the key" />
      <progress aria-label="Progress" value={0.4} />
      <meter aria-label="Used" value={0.9} high={0.8} optimum={0} />
      <div className="empty">
        <h3>No links yet</h3>
        <p>Paste a URL anywhere on this screen.</p>
        <MainButton>Create</MainButton>
      </div>
    </Section>
  );
}

function Opening({ open }: { open: Opened }) {
  if (open === "confirm")
    return (
      <Confirm
        title="Delete two links?"
        action="Delete"
        isPending={false}
        close={nothing}
        onConfirm={nothing}
      >
        <p>They stop working at once.</p>
      </Confirm>
    );
  if (open !== "panel") return null;
  return (
    <FormPanel
      title="Edit the page"
      saveLabel="Save"
      isChanged={false}
      close={nothing}
      save={async () => {}}
      error="The service could not be reached."
      preview={<p>A preview</p>}
    >
      <Field label="Name" defaultValue="Alder & Pine" />
    </FormPanel>
  );
}
