import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { geoEqualEarth, geoPath } from "d3-geo";
import { iso31661NumericToAlpha2 } from "iso-3166";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { Outlines } from "../src/features/analytics/outlines.ts";

const [width, height] = [640, 312] as const;
const atlas = fileURLToPath(import.meta.resolve("world-atlas/countries-110m.json"));

export async function worldOutlines(): Promise<Outlines> {
  const world = JSON.parse(await readFile(atlas, "utf8")) as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const { features } = feature(world, world.objects.countries);
  const shown = features.filter(({ id }) => id !== "010"); // Antarctica would take a fifth of the map
  const projection = geoEqualEarth().fitSize([width, height], { type: "FeatureCollection", features: shown });
  const path = geoPath(projection).digits(1);
  const countries = shown.map((each) => ({
    code: each.properties.name === "Kosovo" ? "XK" : (iso31661NumericToAlpha2[String(each.id)] ?? ""),
    d: path(each) ?? "",
  }));
  return { width, height, countries };
}
