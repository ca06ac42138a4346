import { parentPort, workerData } from "node:worker_threads";
import type { ReadTask, UnwrapTask } from "./imports.types.ts";
import { readParts } from "./read-parts.ts";
import { unwrap } from "./wrapper.ts";

const task = workerData as ReadTask | UnwrapTask;
parentPort?.postMessage("wrapped" in task ? unwrap(task.wrapped) : readParts(task), []);
