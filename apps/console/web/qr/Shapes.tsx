import { qrDots, qrEyes } from "@terse/core/browser";
import { useStrings } from "../strings/strings.tsx";
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
        <select
          value={look.dots}
          onChange={({ target }) => set({ dots: qrDots.find((dots) => dots === target.value) ?? "square" })}
        >
          {qrDots.map((dots) => (
            <option key={dots} value={dots}>
              {qr.dotShapes[dots]}
            </option>
          ))}
        </select>
      </label>
      <label className="choice">
        {qr.eyes}
        <select
          value={look.eyes}
          onChange={({ target }) => set({ eyes: qrEyes.find((eyes) => eyes === target.value) ?? "square" })}
        >
          {qrEyes.map((eyes) => (
            <option key={eyes} value={eyes}>
              {qr.eyeShapes[eyes]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
