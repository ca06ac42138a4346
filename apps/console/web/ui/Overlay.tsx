import { lazy, Suspense } from "react";
import type { OverlayProps } from "./OverlayDialog.tsx";

/** Loads what dialogs need, a moment after the first view, so that the first one opens at once. */
export const loadOverlay = () => import("./OverlayDialog.tsx");
const OverlayDialog = lazy(loadOverlay);

/** A modal dialog: Escape and a press outside close it, focus stays inside and returns afterwards. */
export function Overlay(props: OverlayProps) {
  return (
    <Suspense>
      <OverlayDialog {...props} />
    </Suspense>
  );
}
