import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { signOut } from "../../kit/api/sign-out.ts";
import { useStrings } from "../../words/strings.tsx";
import { sections } from "./sections.ts";
import { ScreenTitle } from "../../kit/ScreenTitle.tsx";
import "./settings.css";

/** The frame of all settings: the list of sections, and the section that the address names. */
export function SettingsScreen() {
  const { settings, frame } = useStrings();
  const { pathname } = useLocation();
  const section = sections.find(({ to }) => to === pathname);
  return (
    <>
      <header className="screen-header">
        <ScreenTitle tab={section && `${settings.sections[section.name]} – ${settings.title}`}>
          {settings.title}
        </ScreenTitle>
        <button type="button" className="button secondary" onClick={() => void signOut()}>
          {frame.signOut}
        </button>
      </header>
      <div className="settings">
        <nav aria-label={settings.title}>
          {sections.map(({ name, to }) => (
            <Link key={name} to={to} className="section">
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
