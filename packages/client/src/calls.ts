/** Options of a single call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one request may take; of a file, until it begins */
  timeout?: number | undefined;
  /** How often a request is sent again that got no answer, or one that says to come later */
  retries?: number | undefined;
  /** For a POST; without it, one is drawn for each call */
  idempotencyKey?: string | undefined;
  /** The `ETag` of a link as it was read: it is changed or deleted only if it is still the same */
  ifMatch?: string | undefined;
  /** More headers */
  headers?: Record<string, string> | undefined;
}

/** A call's answer besides its data. */
export interface Answer<Data, Meta = Record<string, string> | null> {
  data: Data;
  meta: Meta;
  /** Status and headers; its body is read already, unless it is a file */
  response: Response;
}

/** A call in progress. It is a promise of the data; `answer()` also has the response with its headers. */
export class Call<Data, Meta = Record<string, string> | null> implements Promise<Data> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answer: Promise<Answer<Data, Meta>>;

  constructor(answer: Promise<Answer<Data, Meta>>) {
    this.#answer = answer;
  }

  /** The data, `meta`, and the response. */
  answer(): Promise<Answer<Data, Meta>> {
    return this.#answer;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- this is a promise
  then<Result = Data, Failure = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onData, onError);
  }

  catch<Failure = never>(onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null) {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.then(null).finally(onEnd);
  }
}

/** A call that answers with a file: the response, with its headers, and its body as a stream. */
export type FileCall = Call<Response, null>;

export interface PageMeta {
  page: number;
  limit: number;
  total: number;
  total_pages: number;
  /** False if there may be more than `total` */
  total_is_exact?: boolean;
}
export interface Page<Item> {
  data: Item[];
  meta: PageMeta;
}

/** Asks for one page. */
export type Fetch<Item> = (input: PageInput) => Call<Item[], PageMeta>;
export interface PageInput {
  page?: number | undefined;
  limit?: number | undefined;
}

/** As many as a page may have. */
const maxLimit = 100;

/**
 * A list. Awaited, it is the requested page. With `for await` it is every item from that page on, read page by page.
 * Nothing is sent before.
 */
export class Pages<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #fetch: Fetch<Item>;
  readonly #input: PageInput;

  constructor(fetch: Fetch<Item>, input: PageInput) {
    this.#fetch = fetch;
    this.#input = input;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- this is a promise
  then<Result = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    const page = this.#fetch(this.#input).answer();
    return page.then(({ data, meta }) => ({ data, meta })).then(onPage, onError);
  }

  /** Every page from the requested one on. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const { limit = maxLimit, page: first = 1 } = this.#input;
    for (let page = first; ; page += 1) {
      const { data, meta } = await this.#fetch({ ...this.#input, limit, page }).answer();
      yield { data, meta };
      if (data.length < limit || (meta.total_is_exact !== false && page >= meta.total_pages)) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let previous = new Set<string>();
    for await (const { data } of this.pages()) {
      // New items move others to the next page, where they are listed again.
      const keys = data.map((item) => JSON.stringify((item as { id?: unknown }).id ?? item));
      for (const [at, item] of data.entries()) if (!previous.has(keys[at] ?? "")) yield item;
      previous = new Set(keys);
    }
  }
}
