import { Link, Outlet } from "@tanstack/react-router";
import { Activity, lazy, Suspense, useEffect, useState } from "react";
import { statusOf } from "../api.ts";
import { useStrings } from "../strings/strings.tsx";
import { useSignInReason } from "../session/again.ts";
import { useAccount } from "../session/use-account.ts";
import { Problem } from "../ui/Problem.tsx";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { Toasts } from "./toasts.tsx";

const Palette = lazy(async () => ({ default: (await import("./Palette.tsx")).Palette }));
const SignIn = lazy(async () => ({ default: (await import("../session/SignIn.tsx")).SignIn }));
const SignInAgain = lazy(async () => ({ default: (await import("../session/SignInAgain.tsx")).SignInAgain }));
const Suspended = lazy(async () => ({ default: (await import("../session/Suspended.tsx")).Suspended }));
const ShortcutList = lazy(async () => ({ default: (await import("./ShortcutList.tsx")).ShortcutList }));

const places = [
  { name: "links", to: "/", icon: "link" },
  { name: "analytics", to: "/analytics", icon: "chart" },
  { name: "buckets", to: "/buckets", icon: "page" },
  { name: "domains", to: "/domains", icon: "globe" },
  { name: "settings", to: "/settings", icon: "settings" },
] as const satisfies readonly { name: string; to: string; icon: IconName }[];

const operatorPlace = { name: "operator", to: "/operator", icon: "shield" } as const;

/** The frame of every screen: navigation, messages, palette. Shows the sign-in page to visitors. */
export function Frame() {
  const me = useAccount();
  const reason = useSignInReason();
  const isOut = statusOf(me.error) === 401;
  // Sessions are refused with 403 only if their account is suspended.
  const isSuspended = statusOf(me.error) === 403;
  if (me.error && !me.data && !isOut && !isSuspended)
    return <Problem error={me.error} retry={() => void me.refetch()} />;
  return (
    <>
      {me.data && !isSuspended && (
        <Activity mode={isOut ? "hidden" : "visible"}>
          <Desk name={me.data.name} plan={me.data.plan} isOperator={me.data.operator === true} />
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

function Desk({ name, plan, isOperator }: { name: string; plan: string; isOperator: boolean }) {
  const strings = useStrings();
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
  useShortcuts({ openPalette: () => setOverlay("palette"), openHelp: () => setOverlay("shortcuts") });
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {strings.frame.skip}
      </a>
      <nav className="rail" aria-label={strings.frame.navigation}>
        <p className="account">
          <strong>{name}</strong>
          <span>{plan}</span>
        </p>
        {[...places, ...(isOperator ? [operatorPlace] : [])].map((place) => (
          <Link
            key={place.name}
            to={place.to}
            activeOptions={{ exact: place.to === "/", includeSearch: false }}
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
        <button type="button" className="place hint" onClick={() => setOverlay("palette")}>
          <Icon name="search" />
          <span>
            {strings.frame.commands} <kbd>Ctrl K</kbd>
          </span>
        </button>
      </nav>
      <main id="content" tabIndex={-1}>
        <Offline />
        <Outlet />
      </main>
      <Toasts />
      <Suspense>
        {overlay === "palette" && <Palette close={() => setOverlay(null)} />}
        {overlay === "shortcuts" && <ShortcutList close={() => setOverlay(null)} />}
      </Suspense>
    </div>
  );
}

function Offline() {
  const strings = useStrings();
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    window.addEventListener("online", update);
    window.addEventListener("offline", update);
    return () => {
      window.removeEventListener("online", update);
      window.removeEventListener("offline", update);
    };
  }, []);
  return online ? null : (
    <p className="offline" role="status">
      {strings.frame.offline}
    </p>
  );
}
