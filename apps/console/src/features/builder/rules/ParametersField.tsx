import { useRef } from "react";
import { useStrings } from "../../../words/strings.tsx";
import { useFocusNext } from "../../../kit/focus.ts";
import type { Parameter } from "./rules-draft.ts";
import { TextButton } from "../../../kit/Button.tsx";
import { Select } from "../../../kit/Choices.tsx";

const modes = ["any", "value", "missing"] as const;
type Mode = (typeof modes)[number];

const modeOf = ({ value }: Parameter): Mode => {
  if (value === undefined) return "any";
  return value === null ? "missing" : "value";
};

interface ParametersFieldProps {
  label: string;
  parameters: readonly Parameter[];
  onChange: (parameters: Parameter[]) => void;
  errorId: string | undefined;
  isDisabled: boolean;
}

/** Parameters of the requested URL, all of which must be as described. */
export function ParametersField({ label, parameters, onChange, errorId, isDisabled }: ParametersFieldProps) {
  const { rules, builder } = useStrings();
  const field = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(field);
  const set = (at: number, parameter: Parameter) => onChange(parameters.with(at, parameter));
  const setMode = (at: number, { name }: Parameter, mode: Mode) =>
    set(at, mode === "any" ? { name } : { name, value: mode === "missing" ? null : "" });
  return (
    <div ref={field} className="parameters">
      <span className="label">{label}</span>
      {parameters.map((parameter, at) => (
        <p key={at}>
          <input
            className="input"
            aria-label={rules.parameterName}
            placeholder="utm_source"
            value={parameter.name}
            onChange={({ target }) => set(at, { ...parameter, name: target.value })}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={errorId ? true : undefined}
            aria-describedby={errorId}
            disabled={isDisabled}
          />
          <Select
            aria-label={rules.parameterIs}
            value={modeOf(parameter)}
            values={modes}
            textOf={(mode) => rules.parameterModes[mode]}
            onChange={(mode) => setMode(at, parameter, mode)}
            disabled={isDisabled}
          />
          {typeof parameter.value === "string" && (
            <input
              className="input"
              aria-label={rules.parameterValue}
              value={parameter.value}
              onChange={({ target }) => set(at, { ...parameter, value: target.value })}
              autoComplete="off"
              spellCheck={false}
              disabled={isDisabled}
            />
          )}
          {parameters.length > 1 && (
            <TextButton
              aria-label={builder.remove(parameter.name || rules.parameterName)}
              onClick={() => {
                focusNext(".add");
                onChange(parameters.toSpliced(at, 1));
              }}
            >
              ✕
            </TextButton>
          )}
        </p>
      ))}
      {parameters.length < 10 && (
        <TextButton
          className="add"
          disabled={isDisabled}
          onClick={() => {
            focusNext("p:last-of-type input");
            onChange([...parameters, { name: "" }]);
          }}
        >
          {rules.addParameter}
        </TextButton>
      )}
    </div>
  );
}
