import { parentPort, workerData } from "node:worker_threads";
import type { ReadTask } from "./imports.types.ts";
import { readLinks } from "./read-links.ts";

parentPort?.postMessage(readLinks(workerData as ReadTask), []);
