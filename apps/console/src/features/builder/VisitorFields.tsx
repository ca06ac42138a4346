import { Field } from "../../kit/Field.tsx";
import { SelectField } from "../../kit/Choices.tsx";
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
  const change = (field: keyof AssumedVisitor, value: string) => {
    const { [field]: _, ...rest } = visitor;
    onChange(value === "" ? rest : { ...rest, [field]: value });
  };
  return (
    <div className="visitor-fields stack" role="group" aria-label={words.title}>
      <SelectField
        label={words.fields.device}
        value={visitor.device ?? ""}
        values={["", ...Object.keys(agents)]}
        textOf={(device) => device || words.unknownDevice}
        onChange={(device) => change("device", device)}
      />
      {texts.map((field) => (
        <Field
          key={field}
          label={words.fields[field]}
          value={visitor[field] ?? ""}
          onChange={(text) => change(field, text)}
          placeholder={examples[field]}
          maxLength={500}
          isCode
        />
      ))}
    </div>
  );
}
