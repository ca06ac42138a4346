import { hostname } from "node:os";
import type { Settings } from "../settings/read.ts";

/** What this node is called in logs and traces. */
export const nodeName = ({ NODE_NAME }: Pick<Settings, "NODE_NAME">): string => NODE_NAME ?? hostname();
