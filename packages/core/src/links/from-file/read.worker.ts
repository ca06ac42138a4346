import { parentPort, workerData } from "node:worker_threads";
import type { ReadTask } from "./imports.types.ts";
import { readParts } from "./read-parts.ts";

parentPort?.postMessage(readParts(workerData as ReadTask), []);
