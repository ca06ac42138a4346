import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import type { Drawings, DrawingTask } from "./draw.ts";
import { qrDots, qrEyes } from "./limits.ts";
import { qrPng } from "./png.ts";
import { qrRaster } from "./raster.ts";
import type { Logo } from "./shapes.ts";

async function draw(task: DrawingTask): Promise<Drawings[DrawingTask["kind"]]> {
  if (task.kind === "png") return { png: await qrPng(task.text, task.look) };
  return { isDecodable: isDecodable(task.logo, task.texts) };
}

/** The used part of the package jsqr, which only an upload loads. */
interface Scanner {
  default(pixels: Uint8ClampedArray, width: number, height: number): { data: string } | null;
}

const samplePixels = 480;

/** True if a scanner reads codes of these texts with this logo, each in another style, in small pictures. */
function isDecodable(logo: Logo, texts: readonly string[]): boolean {
  const scan = (createRequire(import.meta.url)("jsqr") as Scanner).default;
  return texts.every((text, at) => {
    const raster = qrRaster(text, {
      level: "H",
      margin: 4,
      size: samplePixels,
      color: "#000000",
      background: "#ffffff",
      dots: qrDots[at] ?? "square",
      eyes: qrEyes[at] ?? "square",
      logo,
    });
    if (raster === null) return false;
    const { size, pixels } = raster;
    const rgba = new Uint8ClampedArray(size * size * 4).fill(255);
    for (let pixel = 0; pixel < size * size; pixel++)
      rgba.set(pixels.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    return scan(rgba, size, size)?.data === text;
  });
}

parentPort?.on("message", (task: DrawingTask) => {
  void draw(task).then((answer) => parentPort?.postMessage(answer, []));
});
