import { stringsNow } from "../../words/strings.tsx";

/** `fetch`, whose error says in the user's language that no answer came, instead of in the browser's own words. */
export async function fetchAnswer(url: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the request was taken back
    throw new TypeError(stringsNow().errors.unreachable, { cause: error });
  }
}
