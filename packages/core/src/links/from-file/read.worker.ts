import { parentPort, workerData } from "node:worker_threads";
import { readParts, type ReadTask, unwrap, type UnwrapTask } from "./read-parts.ts";

const task = workerData as ReadTask | UnwrapTask;
parentPort?.postMessage("wrapped" in task ? unwrap(task.wrapped) : readParts(task), []);
