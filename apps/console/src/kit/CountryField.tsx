import { type KeyboardEvent, type ReactNode, use, useEffect, useEffectEvent, useMemo } from "react";
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  I18nProvider,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from "react-aria-components";
import { countryNames } from "./format/format.ts";
import { viewerLocale } from "../words/language.ts";
import { useStrings } from "../words/strings.tsx";
import "./combo-box.css";
import "./overlay.css";

interface Option {
  id: string;
  name: string;
}

interface CountryFieldProps {
  label: string;
  /** ISO 3166-1 alpha-2 */
  value: string | null;
  onChange: (country: string | null) => void;
  /** The id of the text that says what is wrong */
  errorId?: string | undefined;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

/** A field that finds a country by its name. */
export function CountryField({ label, value, onChange, errorId, ...state }: CountryFieldProps) {
  const { form } = useStrings();
  // oxlint-disable-next-line react/exhaustive-deps -- the names are in the language of the texts
  const options = useMemo((): Option[] => countryNames().map(([id, name]) => ({ id, name })), [form]);
  return (
    <I18nProvider locale={viewerLocale()}>
      <ComboBox
        className="field combo"
        value={value}
        onChange={(key) => onChange(key === null ? null : String(key))}
        defaultItems={options}
        menuTrigger="focus"
        {...state}
        isInvalid={errorId !== undefined}
      >
        <Label>{label}</Label>
        <BestMatch>
          <Input
            className="input"
            placeholder={form.country}
            {...(errorId && { "aria-describedby": errorId })}
          />
          <Button className="text-button">▾</Button>
        </BestMatch>
        <Popover className="options">
          <ListBox<Option> renderEmptyState={() => <p className="note">{form.noCountry}</p>}>
            {({ id, name }) => (
              <ListBoxItem id={id} textValue={name}>
                {name} <span className="soft">{id}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </I18nProvider>
  );
}

/** Marks the country that fits best what was typed, so that Enter takes it. */
function BestMatch({ children }: { children: ReactNode }) {
  const state = use(ComboBoxStateContext);
  const typed = state?.inputValue.toLowerCase() ?? "";
  const isTyped =
    state !== null && state.isOpen && typed !== "" && state.selectedItem?.textValue !== state.inputValue;
  const nodes = isTyped ? [...state.collection].filter(({ type }) => type === "item") : [];
  const best = nodes.find(({ textValue }) => textValue.toLowerCase().startsWith(typed)) ?? nodes[0];
  const key = best?.key ?? null;
  const mark = useEffectEvent(() => state?.selectionManager.setFocusedKey(key));
  useEffect(() => {
    if (key === null) return undefined;
    // The field itself removes the mark after each letter.
    const frame = requestAnimationFrame(mark);
    return () => cancelAnimationFrame(frame);
  }, [key, typed]);

  /** Who types fast presses Enter before the mark is there: without it, the field would drop what was typed. */
  const takeUnmarked = (event: KeyboardEvent) => {
    const isMarked = state?.selectionManager.focusedKey != null;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || key === null || isMarked) return;
    event.preventDefault();
    event.stopPropagation();
    state?.setValue(key);
  };
  return (
    <div className="combo-box" onKeyDownCapture={takeUnmarked}>
      {children}
    </div>
  );
}
