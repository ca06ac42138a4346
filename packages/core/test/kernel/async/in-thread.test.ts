import { expect, it, onTestFinished } from "vitest";
import { lastingThread } from "../../../src/kernel/async/in-thread.ts";

const file = new URL("../../../src/links/qr/draw.worker.ts", import.meta.url);
const look = { level: "M", margin: 4, color: "#000000", background: "#ffffff", eyes: "circle" };
const taskOf = (dots: string) => ({ kind: "png", text: "https://short.test/a", look: { ...look, dots } });

it("a lasting thread does one task after another, and is replaced when it failed or took too long", async () => {
  let started = 0;
  const count = () => void started++;
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  const draw = lastingThread(file, { maxMs: 30_000, maxMb: 64 });
  for (const dots of ["rounded", "dots"]) expect(await draw(taskOf(dots))).toHaveProperty("png");
  expect(started).toBe(1);
  expect(await draw(null)).toBeNull();
  expect(await draw(taskOf("rounded"))).toHaveProperty("png");
  expect(started).toBe(2);
  expect(await lastingThread(file, { maxMs: 0, maxMb: 64 })(taskOf("rounded"))).toBeNull();
});
