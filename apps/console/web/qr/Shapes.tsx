import { qrDots, qrEyes } from "@terse/core/browser";
import { useStrings } from "../strings/strings.tsx";
import { Select } from "../ui/Select.tsx";
import type { Look } from "./look.ts";

interface ShapesProps {
  look: Look;
  set: (part: Partial<Look>) => void;
}

/** How modules and the three corners are drawn. */
export function Shapes({ look, set }: ShapesProps) {
  const { qr } = useStrings();
  return (
    <div className="pair">
      <label className="choice">
        {qr.dots}
        <Select
          value={look.dots}
          values={qrDots}
          textOf={(each) => qr.dotShapes[each]}
          onChange={(dots) => set({ dots })}
        />
      </label>
      <label className="choice">
        {qr.eyes}
        <Select
          value={look.eyes}
          values={qrEyes}
          textOf={(each) => qr.eyeShapes[each]}
          onChange={(eyes) => set({ eyes })}
        />
      </label>
    </div>
  );
}
