import {
  type Check,
  type Checks,
  combineMetrics,
  type Measured,
  type RedirectCore,
} from "@terse/core/redirect";
import { createProcessMetrics } from "./process-metrics.ts";

/** The answer of /livez and /readyz. */
export interface Report {
  status: "ok" | "unavailable";
  checks: Record<string, { ok: boolean; detail: string }>;
}

/** A core, the redirect workers, or whatever else this process answers for. */
export interface Source {
  checks(): Checks;
  /** All that it measured since its start */
  metrics(): Measured[];
}

/** How this process is, together with those that it answers for. */
export interface Node {
  add(source: Source): void;
  /** All checks; one that several sources have passes if it passes in each. */
  checks(): Checks;
  /** What /readyz answers. Only operators see reasons, which may name hosts and users. */
  ready(audience: "anybody" | "operators"): Report;
  metrics(): Measured[];
  /** From now on /readyz answers 503, so that proxies send new requests elsewhere. */
  drain(): void;
  readonly isDraining: boolean;
  /** Calls back when it begins to drain. */
  onDrain(listener: () => void): void;
}

/** All that a core and this process measure, as a source of metrics. */
export function measurements(core: Pick<RedirectCore, "meter">): () => Measured[] {
  const ofProcess = createProcessMetrics();
  return () => combineMetrics([...core.meter.collect(), ...ofProcess()]);
}

export const live: Report = { status: "ok", checks: {} };

export function createNode(): Node {
  const sources: Source[] = [];
  const listeners: (() => void)[] = [];
  let isDraining = false;

  function checks(): Checks {
    const all: Record<string, Check> = {};
    for (const source of sources)
      for (const [name, check] of Object.entries(source.checks()))
        if (all[name]?.ok !== false) all[name] = check;
    return isDraining ? { ...all, stopping: { ok: false, detail: "the node is stopping" } } : all;
  }

  return {
    add: (source) => void sources.push(source),
    checks,
    ready(audience) {
      const current = Object.entries(checks());
      const shown = current.map(([name, { ok, detail, reason }]) => [
        name,
        { ok, detail: reason && audience === "operators" ? `${detail}: ${reason}` : detail },
      ]);
      return {
        status: current.every(([, { ok }]) => ok) ? "ok" : "unavailable",
        checks: Object.fromEntries(shown) as Report["checks"],
      };
    },
    metrics() {
      const ready = Object.entries(checks()).map(([check, { ok }]) => ({
        part: "" as const,
        labels: { check },
        value: Number(ok),
      }));
      return combineMetrics([
        { name: "terse_ready", samples: ready },
        ...sources.flatMap((source) => source.metrics()),
      ]);
    },
    drain() {
      isDraining = true;
      for (const listener of listeners) listener();
    },
    get isDraining() {
      return isDraining;
    },
    onDrain: (listener) => void listeners.push(listener),
  };
}
