import { later } from "../../kit/later.tsx";
import { Link, Outlet } from "@tanstack/react-router";
import { Activity, type ComponentProps, lazy, Suspense, useEffect, useState } from "react";
import { statusOf } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { modifier } from "../../kit/shortcuts.ts";
import { loadOverlay, Opening } from "../../kit/Overlay.tsx";
import { useSignInReason } from "../../kit/api/again.ts";
import { isVisitor, useHas } from "../../kit/api/account.ts";
import { useAccount } from "../session/use-account.ts";
import { Problem } from "../../kit/Problem.tsx";
import { KeyCap } from "../../kit/Shortcut.tsx";
import { Live } from "./Live.tsx";
import { Notices } from "./Notices.tsx";
import { Switcher } from "./Switcher.tsx";
import { usePlaces } from "../places.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { Toasts } from "../../kit/toasts.tsx";
import "./frame.css";

const loadPalette = () => import("./Palette.tsx");
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const SignIn = later(() => import("../session/SignIn.tsx"), "SignIn");
const SignInAgain = later(() => import("../session/SignInAgain.tsx"), "SignInAgain");
const Suspended = later(() => import("../session/Suspended.tsx"), "Suspended");
const loadShortcuts = () => import("./ShortcutList.tsx");
const ShortcutList = lazy(async () => ({ default: (await loadShortcuts()).ShortcutList }));

/** The frame of every screen: navigation, messages, palette. Shows the sign-in page to visitors. */
export function Frame() {
  const me = useAccount();
  const reason = useSignInReason();
  const isOut = isVisitor(me);
  // Sessions are refused with 403 only if their account is suspended.
  const isSuspended = statusOf(me.error) === 403;
  if (me.error && !me.data && !isOut && !isSuspended)
    return <Problem error={me.error} retry={() => void me.refetch()} />;
  return (
    <>
      {me.data && !isSuspended && (
        <Activity mode={isOut ? "hidden" : "visible"}>
          <Workspace workspace={me.data.workspace} plan={me.data.plan} />
        </Activity>
      )}
      <Suspense>
        {isSuspended && <Suspended />}
        {isOut && <SignIn isInterrupted={me.data !== undefined} />}
        {reason !== null && !isOut && <SignInAgain reason={reason} />}
      </Suspense>
    </>
  );
}

function Workspace({ workspace, plan }: ComponentProps<typeof Switcher>) {
  const strings = useStrings();
  const places = usePlaces();
  const hasLive = useHas("realtime");
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
  const close = () => setOverlay(null);
  // Typing begins right after the keys that open it.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadPalette, loadShortcuts, loadOverlay]) load().catch(() => {});
    }, 1000);
    return () => clearTimeout(timer);
  }, []);
  useShortcuts({ openPalette: () => setOverlay("palette"), openHelp: () => setOverlay("shortcuts") });
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {strings.frame.skip}
      </a>
      <nav className="sidebar" aria-label={strings.frame.navigation}>
        <Switcher workspace={workspace} plan={plan} />
        {hasLive && <Live />}
        {places.map((place) => (
          <Link
            key={place.name}
            to={place.path}
            activeOptions={{ exact: place.path === "/", includeSearch: false }}
            className="place"
          >
            <Icon name={place.icon} />
            <span>{strings.places[place.name]}</span>
          </Link>
        ))}
        <a className="place" href="/docs">
          <Icon name="book" />
          <span>{strings.places.docs}</span>
        </a>
        <button type="button" className="place palette-button" onClick={() => setOverlay("palette")}>
          <Icon name="search" />
          <span>
            {strings.frame.commands} <KeyCap>{modifier} K</KeyCap>
          </span>
        </button>
      </nav>
      <main id="content" tabIndex={-1}>
        <Notices />
        <Outlet />
      </main>
      <Toasts />
      <Suspense fallback={<Opening title={strings.frame.commands} close={close} />}>
        {overlay === "palette" && (
          <Palette
            close={() => setOverlay((open) => (open === "palette" ? null : open))}
            openHelp={() => setOverlay("shortcuts")}
          />
        )}
      </Suspense>
      <Suspense fallback={<Opening title={strings.shortcuts.title} close={close} />}>
        {overlay === "shortcuts" && <ShortcutList close={close} />}
      </Suspense>
    </div>
  );
}
