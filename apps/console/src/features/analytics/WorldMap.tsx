import { useState } from "react";
import type { Outlines } from "./outlines.ts";
import { countryName, formatCount, formatShare } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { toggleFilter, type ReportState } from "./search.ts";

/** Put here by the bundler */
declare const WORLD_OUTLINES: Outlines;
const { width, height, countries: shapes } = WORLD_OUTLINES;

/** Shades, from few clicks to most. */
const shades = 5;

interface WorldMapProps {
  countries: readonly { country: string; clicks: number }[];
  state: ReportState;
}

/** Clicks by country on a map. The list beside it has the same figures for the keyboard and for screen readers. */
export default function WorldMap({ countries, state: { search, change } }: WorldMapProps) {
  const { analytics, report } = useStrings();
  const [over, setOver] = useState<string | null>(null);
  const clicks = new Map(countries.map((row) => [row.country, row.clicks]));
  const most = Math.max(1, ...clicks.values());
  const total = countries.reduce((sum, row) => sum + row.clicks, 0);
  // By the square root, since one country often has most of the clicks.
  const shadeOf = (n: number) => Math.max(1, Math.ceil(Math.sqrt(n / most) * shades));
  const drawn = new Set(shapes.map(({ code }) => code));
  const missing = countries.filter(({ country }) => country !== "unknown" && !drawn.has(country));
  return (
    <figure className="world-map">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={analytics.mapLabel}>
        {/* One path for all countries without clicks: fewer elements to draw and to check. */}
        <path
          d={shapes
            .filter(({ code }) => !clicks.has(code))
            .map(({ d }) => d)
            .join("")}
        />
        {shapes
          .filter(({ code }) => clicks.has(code))
          .map(({ code, d }) => (
            <path
              key={code}
              d={d}
              className={`shade-${shadeOf(clicks.get(code) ?? 0)}`}
              data-chosen={search.country?.includes(code) || undefined}
              onPointerEnter={() => setOver(code)}
              onPointerLeave={() => setOver(null)}
              onClick={() => change((before) => toggleFilter(before, "country", code), "push")}
            />
          ))}
      </svg>
      <figcaption className="note">
        {over !== null && clicks.has(over)
          ? `${countryName(over)}: ${formatCount(clicks.get(over) ?? 0)} ${report.clicks} · ${formatShare(clicks.get(over) ?? 0, total)}`
          : missing.length > 0
            ? analytics.notOnMap(
                missing.slice(0, 3).map(({ country }) => countryName(country)),
                missing.length,
              )
            : analytics.mapHint}
      </figcaption>
    </figure>
  );
}
