import { parentPort, workerData } from "node:worker_threads";
import { readParts, type ReadTask, type UnwrapTask } from "./read-parts.ts";
import { unwrap } from "./unwrap.ts";

const task = workerData as ReadTask | UnwrapTask;
parentPort?.postMessage("wrapped" in task ? unwrap(task.wrapped) : readParts(task), []);
