import { qrDots, qrEyes } from "@terse/core/browser";
import { useId } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Select } from "../../kit/Select.tsx";
import type { Look } from "./look.ts";

interface ShapesProps {
  look: Look;
  set: (part: Partial<Look>) => void;
}

/** How modules and the three corners are drawn. */
export function Shapes({ look, set }: ShapesProps) {
  const { qr } = useStrings();
  const id = useId();
  return (
    <div className="pair">
      <div className="field">
        <label htmlFor={`${id}-dots`}>{qr.dots}</label>
        <Select
          id={`${id}-dots`}
          value={look.dots}
          values={qrDots}
          textOf={(each) => qr.dotShapes[each]}
          onChange={(dots) => set({ dots })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-eyes`}>{qr.eyes}</label>
        <Select
          id={`${id}-eyes`}
          value={look.eyes}
          values={qrEyes}
          textOf={(each) => qr.eyeShapes[each]}
          onChange={(eyes) => set({ eyes })}
        />
      </div>
    </div>
  );
}
