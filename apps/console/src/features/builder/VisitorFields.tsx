import { useId } from "react";
import { useStrings } from "../../words/strings.tsx";
import { agents } from "./agents.ts";
import type { AssumedVisitor } from "./assumed.ts";

const texts = ["language", "referrer", "query", "ip"] as const;
const examples = {
  language: "de-AT,de;q=0.9",
  referrer: "news.example",
  query: "utm_source=mail",
  ip: "192.0.2.1",
};

interface VisitorFieldsProps {
  visitor: AssumedVisitor;
  onChange: (visitor: AssumedVisitor) => void;
}

/** What is assumed of a visitor, besides country and time; an empty field assumes nothing. */
export function VisitorFields({ visitor, onChange }: VisitorFieldsProps) {
  const { visitor: words } = useStrings();
  const id = useId();
  const change = (field: keyof AssumedVisitor, value: string) => {
    const { [field]: _, ...rest } = visitor;
    onChange(value === "" ? rest : { ...rest, [field]: value });
  };
  return (
    <div className="visitor-fields" role="group" aria-label={words.title}>
      <div className="field">
        <label htmlFor={`${id}-device`}>{words.fields.device}</label>
        <select
          className="input"
          id={`${id}-device`}
          value={visitor.device ?? ""}
          onChange={({ target }) => change("device", target.value)}
        >
          <option value="">{words.unknownDevice}</option>
          {Object.keys(agents).map((device) => (
            <option key={device}>{device}</option>
          ))}
        </select>
      </div>
      {texts.map((field) => (
        <div key={field} className="field">
          <label htmlFor={`${id}-${field}`}>{words.fields[field]}</label>
          <input
            className="input"
            id={`${id}-${field}`}
            value={visitor[field] ?? ""}
            onChange={({ target }) => change(field, target.value)}
            placeholder={examples[field]}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      ))}
    </div>
  );
}
