/** An HTTP answer as plain data: whoever makes one needs no framework. */
export interface Answer {
  readonly status: 200 | 302 | 303 | 403 | 404 | 405 | 410 | 413 | 415 | 429 | 500 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
