import { setTimeout as wait } from "node:timers/promises";
import { reasonOf, UserError } from "@terse/server";
import type * as z from "zod";

export interface PeerApi {
  /**
   * Reads JSON. Waits as long as the service asks for (429, 503), and tries again after failures that may pass.
   * @throws {UserError} if the service refuses, cannot be reached, or answers something else
   */
  get<Output>(path: string, schema: z.ZodType<Output>): Promise<Output>;
}

interface Options {
  /** For messages, such as "Shlink" */
  title: string;
  /** Where it is; paths are appended */
  base: string;
  headers: Record<string, string>;
  interrupt: AbortSignal;
}

const timeoutMs = 60_000;
/** Milliseconds before each further attempt */
const pauses = [500, 2000, 5000, 15_000, 30_000];
const maxRetryAfterMs = 300_000;

/** Reads from another service, one request at a time. */
export function openPeerApi({ title, base, headers, interrupt }: Options): PeerApi {
  /** A wrong address is not tried again. */
  let isReached = false;

  async function attempt(url: string): Promise<{ answer: unknown } | { failure: string; retryMs?: number }> {
    interrupt.throwIfAborted();
    let response: Response;
    try {
      const signal = AbortSignal.any([interrupt, AbortSignal.timeout(timeoutMs)]);
      response = await fetch(url, {
        headers: { accept: "application/json", ...headers },
        redirect: "error",
        signal,
      });
      isReached = true;
      if (response.ok) return { answer: await response.json() };
      await response.body?.cancel();
    } catch (error) {
      interrupt.throwIfAborted();
      if (error instanceof SyntaxError) throw new UserError(`${url} does not answer JSON: is this ${title}?`);
      const failure = reasonOf((error as Error).cause ?? error);
      if (!isReached) throw new UserError(`${title} cannot be reached at ${base}: ${failure}`);
      return { failure };
    }
    const { status } = response;
    if (status === 401 || status === 403) throw new UserError(`${title} refuses the key (status ${status})`);
    if (status !== 429 && status < 500) throw new UserError(`${url} answers ${status}: is this ${title}?`);
    const retryMs = Math.min(
      maxRetryAfterMs,
      1000 * Number(response.headers.get("retry-after") ?? Number.NaN),
    );
    return { failure: `status ${status}`, ...(retryMs >= 0 && { retryMs }) };
  }

  return {
    async get(path, schema) {
      const url = `${base}${path}`;
      for (let failed = 0; ; failed++) {
        const result = await attempt(url);
        if ("answer" in result) {
          const parsed = schema.safeParse(result.answer);
          if (parsed.success) return parsed.data;
          const [issue] = parsed.error.issues;
          throw new UserError(
            `${url} gave an unexpected answer: ${issue?.path.join(".")}: ${issue?.message}`,
          );
        }
        const pause = pauses[failed];
        if (pause === undefined) throw new UserError(`${title} cannot be read at ${url}: ${result.failure}`);
        await wait(result.retryMs ?? pause, undefined, { signal: interrupt });
      }
    },
  };
}

/**
 * The base of a service's address, without a slash at the end.
 * @throws {UserError} if it is not an http(s) address
 */
export function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search + url.hash !== "")
    throw new UserError(`--url must be the http or https address of the service, not ${text}`);
  return url.href.replace(/\/$/, "");
}
