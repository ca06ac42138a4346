import { parentPort } from "node:worker_threads";
import { isDecodable } from "./decodable.ts";
import type { Drawings, DrawingTask } from "./draw.ts";
import { qrPng } from "./png.ts";

async function draw(task: DrawingTask): Promise<Drawings[DrawingTask["kind"]]> {
  if (task.kind === "png") return { png: await qrPng(task.text, task.look) };
  return { isDecodable: isDecodable(task.logo, task.texts) };
}

parentPort?.on("message", (task: DrawingTask) => {
  void draw(task).then((answer) => parentPort?.postMessage(answer, []));
});
