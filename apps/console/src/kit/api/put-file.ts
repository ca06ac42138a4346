import { fetchAnswer } from "./fetch.ts";

/** Sends a file as the body of a request. Throws with the service's sentence if it is refused. */
export async function putFile(path: string, file: Blob): Promise<void> {
  const response = await fetchAnswer(path, { method: "PUT", body: file });
  if (response.ok) return;
  const { error } = (await response.json()) as { error: string };
  throw new Error(error);
}
