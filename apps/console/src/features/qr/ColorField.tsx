import { hexColor, normalizeColor } from "@terse/core/browser";
import { useEffect, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";

interface ColorFieldProps {
  label: string;
  /** `#rrggbb` */
  value: string;
  onChange: (value: string) => void;
}

/** A colour, typed or picked. While the text is no colour, it says so and the value stays. */
export function ColorField({ label, value, onChange }: ColorFieldProps) {
  const { qr } = useStrings();
  const [text, setText] = useState(value);
  const isColor = hexColor.test(text);
  useEffect(
    () => setText((before) => (hexColor.test(before) && normalizeColor(before) === value ? before : value)),
    [value],
  );
  return (
    <div className="color">
      <input
        type="color"
        className="color-input"
        aria-label={qr.pick(label)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Field
        label={label}
        value={text}
        maxLength={7}
        isCode
        onChange={(next) => {
          const typed = next.trim();
          setText(typed);
          if (hexColor.test(typed)) onChange(normalizeColor(typed));
        }}
        error={isColor ? undefined : qr.noColor}
      />
    </div>
  );
}
