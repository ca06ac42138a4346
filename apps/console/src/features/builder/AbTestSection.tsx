import { I18nProvider, Slider, SliderThumb, SliderTrack } from "react-aria-components";
import { useRef } from "react";
import { formatShare } from "../../kit/format/format.ts";
import { viewerLocale } from "../../words/language.ts";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { useFocusNext } from "../../kit/focus.ts";
import { newVariant, type VariantDraft } from "./draft.ts";
import { type Errors, errorsBeside } from "../../kit/issues.ts";
import { UrlField } from "../../kit/UrlField.tsx";
import { fromHandles, toHandles, toPercent, withPercent } from "./weights.ts";
import { TextButton } from "../../kit/Button.tsx";
import "./ab-test.css";

const names = ["A", "B", "C", "D"];
/** A variant's URL, as errors name it */
const urlField = (at: number) => `ab_test.variants.${at}.url`;

interface AbTestSectionProps {
  variants: readonly VariantDraft[];
  onChange: (variants: readonly VariantDraft[]) => void;
  errors: Errors;
  isDisabled: boolean;
  autoFocus: boolean;
}

/** An A/B test: two to four URLs, and a bar that divides the visitors between them. */
export function AbTestSection({ variants, onChange, errors, isDisabled, autoFocus }: AbTestSectionProps) {
  const { builder } = useStrings();
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useFocusNext(list);
  const urls = variants.map((_, at) => urlField(at));
  const weights = variants.map(({ weight }) => weight);
  const setWeights = (next: readonly number[]) =>
    onChange(variants.map((variant, at) => ({ ...variant, weight: next[at] ?? 1 })));
  const add = () => {
    const share = Math.round(100 / (variants.length + 1));
    const all = [...toPercent(weights), share];
    const next = withPercent(all, variants.length, share);
    focusNext("li:last-child input");
    onChange([...variants, newVariant()].map((variant, at) => ({ ...variant, weight: next[at] ?? 1 })));
  };
  const remove = (at: number) => {
    const rest = variants.toSpliced(at, 1);
    const next = toPercent(rest.map(({ weight }) => weight));
    focusNext("li:last-child input");
    onChange(rest.map((variant, index) => ({ ...variant, weight: next[index] ?? 1 })));
  };
  return (
    <>
      <WeightBar weights={weights} onChange={setWeights} isDisabled={isDisabled} />
      <ol ref={list} className="variants">
        {variants.map((variant, at) => (
          <li key={variant.key}>
            <UrlField
              label={builder.variantUrl(names[at] ?? "")}
              value={variant.url}
              onChange={(url) =>
                onChange(variants.map((each) => (each.key === variant.key ? { ...each, url } : each)))
              }
              error={errors[urlField(at)]}
              disabled={isDisabled}
              autoFocus={autoFocus && at === 1 && variant.url === ""}
            />
            <label className="share">
              <input
                className="input"
                type="number"
                min="1"
                max="99"
                aria-label={builder.variantShare(names[at] ?? "")}
                value={toPercent(weights)[at]}
                disabled={isDisabled}
                onChange={({ target }) =>
                  target.value !== "" && setWeights(withPercent(weights, at, target.valueAsNumber))
                }
              />
              %
            </label>
            {variants.length > 2 && (
              <TextButton aria-label={builder.removeVariant(names[at] ?? "")} onClick={() => remove(at)}>
                ✕
              </TextButton>
            )}
          </li>
        ))}
      </ol>
      <Wrong>{errorsBeside(errors, urls, "ab_test")}</Wrong>
      {variants.length < names.length && (
        <TextButton className="add" disabled={isDisabled} onClick={add}>
          {builder.addVariant}
        </TextButton>
      )}
    </>
  );
}

interface WeightBarProps {
  weights: readonly number[];
  onChange: (weights: readonly number[]) => void;
  isDisabled: boolean;
}

/** A bar of all visitors, with a handle between each two variants; arrow keys move it by one percent. */
function WeightBar({ weights, onChange, isDisabled }: WeightBarProps) {
  const { builder } = useStrings();
  const sum = weights.reduce((before, weight) => before + weight, 0);
  const ends = weights.map((_, at) =>
    weights.slice(0, at + 1).reduce((before, weight) => before + weight, 0),
  );
  return (
    <I18nProvider locale={viewerLocale()}>
      <Slider
        className="weights"
        aria-label={builder.shares}
        value={toHandles(toPercent(weights))}
        onChange={(handles) => onChange(fromHandles(handles))}
        isDisabled={isDisabled}
      >
        <SliderTrack className="track">
          <svg width="100%" height="100%" aria-hidden="true">
            {weights.map((weight, at) => (
              <rect
                key={at}
                className={`variant-${at}`}
                x={`${(((ends[at] ?? 0) - weight) / sum) * 100}%`}
                width={`${(weight / sum) * 100}%`}
                height="100%"
              />
            ))}
          </svg>
          {weights.slice(1).map((_, at) => (
            <SliderThumb
              key={at}
              index={at}
              className="handle"
              aria-label={builder.handle(names[at] ?? "", names[at + 1] ?? "")}
            />
          ))}
        </SliderTrack>
        <p className="legend">
          {weights.map((weight, at) => (
            <span key={names[at]}>
              {names[at]} {formatShare(weight, sum)}
            </span>
          ))}
        </p>
      </Slider>
    </I18nProvider>
  );
}
