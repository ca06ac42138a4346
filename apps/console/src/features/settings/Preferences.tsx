import { useState } from "react";
import { enableShortcuts, shortcutsEnabled } from "../../kit/shortcuts.ts";
import { changeZone } from "../../kit/format/format.ts";
import { type LanguageCode, languageCodes, nameOfLanguage, shownLanguage } from "../../words/language.ts";
import { storeLanguage, useStrings } from "../../words/strings.tsx";
import { applyTheme, storedTheme, type Theme, themes } from "../../kit/theme.ts";
import { chosenZone, deviceZone, zones } from "../../kit/format/zone.ts";
import { Section } from "../../kit/Section.tsx";

/** How the console looks and behaves in this browser, which is where it is kept. */
export function Preferences() {
  const { settings } = useStrings();
  const [theme, setTheme] = useState<Theme>(storedTheme());
  const [zone, setZone] = useState(chosenZone());
  const [shortcuts, setShortcuts] = useState(shortcutsEnabled());
  return (
    <Section title={settings.sections.preferences} lead={settings.preferencesHint}>
      <div className="field">
        <span className="label" id="theme">
          {settings.theme}
        </span>
        <div className="segments" role="radiogroup" aria-labelledby="theme">
          {themes.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="theme"
                checked={theme === each}
                onChange={() => {
                  applyTheme(each);
                  setTheme(each);
                }}
              />
              {settings.themes[each]}
            </label>
          ))}
        </div>
      </div>
      <label className="field">
        {settings.language}
        <select
          className="input"
          value={shownLanguage()}
          onChange={(event) => storeLanguage(event.target.value as LanguageCode)}
        >
          {languageCodes.map((code) => (
            <option key={code} value={code}>
              {nameOfLanguage(code)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        {settings.zone}
        <select
          className="input"
          value={zone ?? ""}
          onChange={(event) => {
            changeZone(event.target.value || deviceZone);
            setZone(chosenZone());
          }}
        >
          <option value="">{settings.deviceZone(deviceZone)}</option>
          {zones()
            .filter((each) => each !== deviceZone)
            .map((each) => (
              <option key={each} value={each}>
                {each.replaceAll("_", " ")}
              </option>
            ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={shortcuts}
          onChange={(event) => {
            enableShortcuts(event.target.checked);
            setShortcuts(event.target.checked);
          }}
        />
        {settings.shortcuts}
      </label>
      <p className="note">{settings.shortcutsHint}</p>
    </Section>
  );
}
