import { hexColor, inkOn, isReadableOn, normalizeColor, readableOn } from "@terse/core/browser";
import { useId, useRef } from "react";
import { useStrings } from "../../words/strings.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** The backgrounds of the service's pages, set when the console is built. */
declare const PAGE_GROUNDS: { light: string; darkSheet: string };

const suggestions = ["#0f6b52", "#1d5fd1", "#6b3fd4", "#b8256e", "#c2410c", "#a16207"];
const other = "#334155";

interface AccentFieldProps {
  /** What was typed or picked; "" for none */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** Chooses the accent colour of a page, and says how it will read. */
export function AccentField({ value, onChange, error }: AccentFieldProps) {
  const { buckets } = useStrings();
  const id = useId();
  const code = useRef<HTMLInputElement>(null);
  const color = hexColor.test(value) ? normalizeColor(value) : null;
  const wrong = value !== "" && color === null ? buckets.noColor : error;
  return (
    <fieldset className="field accent-field" aria-describedby={`${id}-note`}>
      <legend>{buckets.accent}</legend>
      <div className="swatches line">
        {suggestions.map((each) => (
          <button
            key={each}
            type="button"
            className="swatch"
            aria-label={each}
            aria-pressed={color === each}
            onClick={() => onChange(each)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <rect width="24" height="24" rx="6" fill={each} />
              {color === each && (
                <path d="M7 12.5l3.5 3.5 6.5-7" fill="none" stroke={inkOn(each)} strokeWidth="2" />
              )}
            </svg>
          </button>
        ))}
        <input
          type="color"
          className="color-input"
          aria-label={buckets.pickColor}
          value={color ?? other}
          onChange={(event) => onChange(event.target.value)}
        />
        <input
          ref={code}
          aria-label={buckets.accentCode}
          aria-invalid={wrong ? true : undefined}
          className="input code"
          value={value}
          placeholder="#rrggbb"
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value.trim())}
        />
        {value !== "" && (
          <TextButton
            onClick={() => {
              onChange("");
              code.current?.focus();
            }}
          >
            {buckets.noAccent}
          </TextButton>
        )}
      </div>
      <p id={`${id}-note`} className={wrong ? "wrong" : "note"} role="status">
        {wrong ?? (color ? <Verdict color={color} /> : buckets.accentHint)}
      </p>
    </fieldset>
  );
}

/** What the page makes of the colour, so that everything on it can be read. */
function Verdict({ color }: { color: string }) {
  const { buckets } = useStrings();
  const { light, darkSheet } = PAGE_GROUNDS;
  const changed = [
    ...(isReadableOn(color, light) ? [] : [buckets.darkened(readableOn(color, light))]),
    ...(isReadableOn(color, darkSheet) ? [] : [buckets.lightened(readableOn(color, darkSheet))]),
  ];
  return <>{[buckets.ink(inkOn(color) === "#ffffff"), ...changed].join(" ")}</>;
}
