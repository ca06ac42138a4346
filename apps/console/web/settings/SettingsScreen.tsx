import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, queryClient } from "../api.ts";
import { formatAgo, formatExact } from "../format.ts";
import { enableShortcuts, shortcutsEnabled } from "../frame/shortcuts.ts";
import { signOut } from "../frame/sign-out.ts";
import { say } from "../frame/toasts.tsx";
import { languageCodes, storedLanguage, storeLanguage, useStrings } from "../strings/strings.tsx";
import { Keys } from "./Keys.tsx";
import { applyTheme, storedTheme, type Theme, themes } from "../theme.ts";

/** The account, its sessions, and how the console looks on this device. */
export function SettingsScreen() {
  const strings = useStrings();
  return (
    <>
      <header className="top">
        <h1>{strings.settings.title}</h1>
        <button type="button" className="quiet" onClick={() => void signOut()}>
          {strings.frame.signOut}
        </button>
      </header>
      <div className="settings">
        <Profile />
        <Appearance />
        <Keys />
        <Sessions />
      </div>
    </>
  );
}

function Profile() {
  const { settings } = useStrings();
  const me = useQuery(api.users.me.queryOptions());
  return (
    <section>
      <h2>{settings.profile}</h2>
      {me.data && (
        <p>
          {me.data.name} · {me.data.email}
        </p>
      )}
      {me.data && (
        <p>
          {settings.plan}: <b>{me.data.plan}</b>
        </p>
      )}
    </section>
  );
}

function Appearance() {
  const { settings } = useStrings();
  const [theme, setTheme] = useState<Theme>(storedTheme());
  const [shortcuts, setShortcuts] = useState(shortcutsEnabled());
  return (
    <section>
      <h2>{settings.theme}</h2>
      <div className="periods" role="radiogroup" aria-label={settings.theme}>
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
      <label className="field">
        {settings.language}
        <select value={storedLanguage()} onChange={(event) => storeLanguage(event.target.value)}>
          {languageCodes.map((code) => (
            <option key={code} value={code}>
              {new Intl.DisplayNames(code, { type: "language" }).of(code)}
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
    </section>
  );
}

function Sessions() {
  const { settings } = useStrings();
  const sessions = useQuery(api.sessions.list.queryOptions());
  const refresh = async () => {
    await queryClient.invalidateQueries(api.sessions.pathFilter());
    say(settings.ended);
  };
  const end = useMutation(api.sessions.end.mutationOptions({ onSuccess: refresh }));
  const endAll = useMutation(api.sessions.endAll.mutationOptions({ onSuccess: () => location.assign("/") }));
  return (
    <section>
      <h2>{settings.sessions}</h2>
      <ul className="plain-list">
        {sessions.data?.map(({ id, current, last_seen_at }) => (
          <li key={id}>
            <time dateTime={last_seen_at} title={formatExact(last_seen_at)}>
              {settings.lastSeen(formatAgo(last_seen_at))}
            </time>
            {current ? (
              <b>{settings.thisBrowser}</b>
            ) : (
              <button type="button" className="plain" onClick={() => end.mutate({ id })}>
                {settings.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p>
        <button type="button" className="quiet" onClick={() => endAll.mutate()}>
          {settings.endAll}
        </button>
      </p>
    </section>
  );
}
