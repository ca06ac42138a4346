import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import type { OverlayProps } from "./OverlayDialog.tsx";
import "./overlay.css";

/** Loads what dialogs need, a moment after the first view, so that the first one opens at once. */
export const loadOverlay = () => import("./OverlayDialog.tsx");
const OverlayDialog = lazy(loadOverlay);

/** A modal dialog: Escape and a press outside close it, focus stays inside and returns afterwards. */
export function Overlay(props: OverlayProps) {
  return (
    <Suspense fallback={<Opening title={props.title} close={props.close} />}>
      <OverlayDialog {...props} />
    </Suspense>
  );
}

/** Stands for a dialog that is being loaded: keys are no shortcuts any more, and Escape closes it before it is there. */
export function Opening({ title, close }: Pick<OverlayProps, "title" | "close">) {
  const onKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === "Escape") close();
  });
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", keydown);
    return () => document.removeEventListener("keydown", keydown);
  }, []);
  return <div role="dialog" aria-busy="true" aria-label={title} className="overlay" />;
}
