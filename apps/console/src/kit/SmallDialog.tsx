import { lazy, Suspense } from "react";
import type { PopoverDialogProps } from "./PopoverDialog.tsx";
import "./overlay.css";

const PopoverDialog = lazy(() => import("./PopoverDialog.tsx"));

/** A small dialog beside what opened it: Escape and a press outside close it. */
export function SmallDialog(props: PopoverDialogProps) {
  return (
    <Suspense>
      <PopoverDialog {...props} />
    </Suspense>
  );
}
