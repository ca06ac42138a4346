import type { Tracer } from "./tracer.types.ts";

/** The tracer of a process that shows nothing. */
export const noTracer: Tracer = {
  span: (_name, _options, work) => work(null),
  begin: () => null,
  current: () => null,
  headers: () => ({}),
};
