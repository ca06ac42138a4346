import { useState } from "react";
import { formatLength } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Select } from "../../kit/Choices.tsx";
import { reachOf, widthFor } from "./reach.ts";

/** Centimetres */
const widths = [1.5, 2, 3, 5, 10, 30, 100];
const poster = 200;

/** From how far the code is read when it is printed, and how wide it has to be for a poster. */
export function Reach({ modules }: { modules: number }) {
  const { qr } = useStrings();
  const [width, setWidth] = useState(3);
  return (
    <p className="reach">
      <label>
        {qr.printed} <Select value={width} values={widths} textOf={formatLength} onChange={setWidth} />
      </label>{" "}
      <span>
        {qr.reach(formatLength(roundDown(reachOf(width, modules))))}{" "}
        <span className="soft">
          {qr.needed(formatLength(poster), formatLength(Math.ceil(widthFor(poster, modules))))}
        </span>
      </span>
    </p>
  );
}

/** To five centimetres up to a metre, then to ten. */
function roundDown(length: number): number {
  const step = length < 100 ? 5 : 10;
  return Math.max(step, Math.floor(length / step) * step);
}
