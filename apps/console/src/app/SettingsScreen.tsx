import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { signOut } from "../kit/api/sign-out.ts";
import { ScreenTitle } from "../kit/Screen.tsx";
import { useStrings } from "../words/strings.tsx";
import { useSectionNames } from "./places.ts";
import { pathOf } from "./screens.ts";
import { Button } from "../kit/Button.tsx";
import "../features/settings/settings.css";

/** The frame of all settings: the list of sections, and the section that the address names. */
export function SettingsScreen() {
  const { settings, frame } = useStrings();
  const sectionNames = useSectionNames();
  const { pathname } = useLocation();
  const section = sectionNames.find((name) => pathOf(name) === pathname);
  return (
    <>
      <header className="screen-header">
        <ScreenTitle tab={section && `${settings.sections[section]} – ${settings.title}`}>
          {settings.title}
        </ScreenTitle>
        <Button onClick={() => void signOut()}>{frame.signOut}</Button>
      </header>
      <div className="settings">
        <nav aria-label={settings.title}>
          {sectionNames.map((name) => (
            <Link key={name} to={pathOf(name)} className="place">
              {settings.sections[name]}
            </Link>
          ))}
        </nav>
        <div className="sections">
          <Outlet />
        </div>
      </div>
    </>
  );
}
