import { qrDots, qrEyes } from "@terse/core/browser";
import { useStrings } from "../../words/strings.tsx";
import { SelectField } from "../../kit/Choices.tsx";
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
      <SelectField
        label={qr.dots}
        value={look.dots}
        values={qrDots}
        textOf={(each) => qr.dotShapes[each]}
        onChange={(dots) => set({ dots })}
      />
      <SelectField
        label={qr.eyes}
        value={look.eyes}
        values={qrEyes}
        textOf={(each) => qr.eyeShapes[each]}
        onChange={(eyes) => set({ eyes })}
      />
    </div>
  );
}
