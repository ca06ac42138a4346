/**
 * The attributes of a span. It is sent to other programs, so it never contains data of users: no destination, slug,
 * host, address, text of a statement, or key. Names follow OpenTelemetry's semantic conventions where these have one.
 */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work that a trace shows. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. `type` is one of few values, such as an error's code: its message may contain data of users. */
  fail(type: string): void;
  /** Fields that connect a log line with the span */
  readonly ids: { readonly trace_id: string; readonly span_id: string };
}

export interface SpanOptions {
  /** "server" answers a request, "client" sends one */
  kind?: "server" | "client";
  attributes?: SpanAttributes;
  /** Header fields of the request that this span answers, if their sender is trusted (W3C Trace Context) */
  parent?: { traceparent?: string | undefined; tracestate?: string | undefined };
}

/** Records a process's work as traces. */
export interface Tracer {
  /**
   * Runs `work` as a span, within the current one if there is one. Spans that `work` begins are within it. It fails if `work`
   * does, unless that was refused with a status below 500.
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span | null) => Promise<T>): Promise<T>;
  /**
   * Begins a span for work that begins none itself; null if there is no current span, so that what runs all the time in the
   * background is not shown. Call the result at the end, with the error or null.
   */
  begin(name: string, options?: SpanOptions): ((error: unknown) => void) | null;
  /** The span within which the caller runs */
  current(): Span | null;
  /** Header fields for a request that another service is to show as part of the current span (W3C Trace Context) */
  headers(): Readonly<Record<string, string>>;
}

/** The tracer of a process without traces. */
export const noTracer: Tracer = {
  span: (_name, _options, work) => work(null),
  begin: () => null,
  current: () => null,
  headers: () => ({}),
};
