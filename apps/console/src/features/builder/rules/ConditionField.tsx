import { TimeField } from "../../../kit/fields.ts";
import { browserNames, systemNames } from "@terse/core/browser";
import { useId } from "react";
import { useStrings } from "../../../words/strings.tsx";
import { ListField } from "./ListField.tsx";
import { ParametersField } from "./ParametersField.tsx";
import type { ConditionName, Conditions } from "./rules-draft.ts";
import { TogglesField } from "./TogglesField.tsx";
import { WeeklyField } from "./WeeklyField.tsx";
import { TextButton } from "../../../kit/Button.tsx";

const devices = ["desktop", "mobile", "tablet", "tv", "console", "other"];
const suggested: Partial<Record<ConditionName, readonly string[]>> = {
  os: systemNames,
  browser: browserNames,
};

interface ConditionFieldProps {
  name: ConditionName;
  value: Conditions[ConditionName];
  onChange: (value: Conditions[ConditionName]) => void;
  remove: () => void;
  error: string | undefined;
  isDisabled: boolean;
}

/** One condition of a rule, with the inputs that fit its kind. */
export function ConditionField({ name, value, onChange, remove, error, isDisabled }: ConditionFieldProps) {
  const { rules, builder } = useStrings();
  const id = useId();
  const errorId = error === undefined ? undefined : id;
  const label = rules.conditions[name];
  return (
    <div className="condition" role="group" aria-label={label} data-condition={name}>
      <Inputs {...{ name, value, onChange, label, errorId, isDisabled }} />
      <TextButton aria-label={builder.remove(label)} onClick={remove}>
        ✕
      </TextButton>
      {error !== undefined && (
        <p id={id} className="wrong">
          {error}
        </p>
      )}
    </div>
  );
}

interface InputsProps extends Pick<ConditionFieldProps, "name" | "value" | "onChange" | "isDisabled"> {
  label: string;
  errorId: string | undefined;
}

function Inputs({ name, value, ...field }: InputsProps) {
  const { analytics } = useStrings();
  switch (name) {
    case "device":
    case "continent":
      return (
        <TogglesField
          {...field}
          name={name}
          options={name === "device" ? devices : Object.keys(analytics.continents)}
          values={value as string[]}
        />
      );
    case "weekly":
      return <WeeklyField {...field} value={value as NonNullable<Conditions["weekly"]>} />;
    case "query":
      return <ParametersField {...field} parameters={value as NonNullable<Conditions["query"]>} />;
    case "after":
    case "before":
      return (
        <TimeField
          label={field.label}
          value={value as string}
          onChange={(time) => field.onChange(time ?? "")}
          minute={name === "after" ? "first" : "last"}
          describedBy={field.errorId}
          isInvalid={field.errorId !== undefined}
          isDisabled={field.isDisabled}
        />
      );
    default:
      return <ListField {...field} name={name} values={value as string[]} options={suggested[name] ?? []} />;
  }
}
