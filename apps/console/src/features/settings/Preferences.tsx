import { useState } from "react";
import { enableShortcuts, shortcutsEnabled } from "../../kit/shortcuts.ts";
import { changeZone } from "../../kit/format/format.ts";
import { languageCodes, nameOfLanguage, shownLanguage } from "../../words/language.ts";
import { storeLanguage, useStrings } from "../../words/strings.tsx";
import { applyTheme, storedTheme, type Theme, themes } from "../../kit/theme.ts";
import { deviceZone, storedZone, zones } from "../../kit/format/zone.ts";
import { Section } from "../../kit/Section.tsx";
import { Check, Segments, SelectField } from "../../kit/Choices.tsx";

/** How the console looks and behaves in this browser, which is where it is kept. */
export function Preferences() {
  const { settings } = useStrings();
  const [theme, setTheme] = useState<Theme>(storedTheme());
  const [zone, setZone] = useState(storedZone);
  const [shortcuts, setShortcuts] = useState(shortcutsEnabled());
  return (
    <Section title={settings.sections.preferences} lead={settings.preferencesHint}>
      <div className="field">
        <span className="label" aria-hidden="true">
          {settings.theme}
        </span>
        <Segments
          label={settings.theme}
          value={theme}
          values={themes}
          textOf={(each) => settings.themes[each]}
          onChange={(each) => {
            applyTheme(each);
            setTheme(each);
          }}
        />
      </div>
      <SelectField
        label={settings.language}
        value={shownLanguage()}
        values={languageCodes}
        textOf={nameOfLanguage}
        onChange={storeLanguage}
      />
      <SelectField
        label={settings.zone}
        value={zone}
        values={zones(zone)}
        textOf={(each) => (each === deviceZone ? settings.deviceZone(deviceZone) : each.replaceAll("_", " "))}
        onChange={(each) => {
          changeZone(each);
          setZone(each);
        }}
      />
      <Check
        checked={shortcuts}
        onChange={(isChecked) => {
          enableShortcuts(isChecked);
          setShortcuts(isChecked);
        }}
      >
        {settings.shortcuts}
      </Check>
      <p className="note">{settings.shortcutsHint}</p>
    </Section>
  );
}
