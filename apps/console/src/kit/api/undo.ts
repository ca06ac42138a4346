import { useMutation } from "@tanstack/react-query";
import type { Answers } from "./answers.ts";
import { api, client, refresh } from "./api.ts";
import { say } from "../toasts.tsx";
import type { Link } from "./link.ts";
import type { Strings } from "../../words/en.ts";
import { useStrings } from "../../words/strings.tsx";
import { reasonOf } from "../reason.ts";

const refreshAll = () => refresh("changes", "links", "tags", "jobs");

type Undone = Answers["changes"]["undo"];

/** Says what came of an undo. One of many links is done by a job, which the list of links shows. */
function sayUndone(result: Undone, { history }: Strings): void {
  if ("job_id" in result) say(history.undoing);
  else if (!("matched" in result)) say(history.undone);
  else if (result.results.length === 0) say(history.undoneMany(result.changed));
  else {
    const [first = {}] = result.results;
    say(history.undoneSome(result.changed, result.matched, reasonOf(first) ?? ""));
  }
}

/** Undoes a change and says what came of it. */
export function useUndo() {
  const strings = useStrings();
  return useMutation(
    api.changes.undo.mutationOptions({
      onSuccess: (result) => sayUndone(result, strings),
      onError: ({ message }) => say(message),
    }),
  );
}

/** The same for a message that has an undo, wherever that is shown. */
export async function undoChange(id: string, strings: Strings): Promise<void> {
  try {
    sayUndone(await client.changes.undo.mutate({ id }), strings);
  } catch (error) {
    say((error as Error).message);
  }
  await refreshAll();
}

/** Undoes the update that an answer came from. Throws what the service answers. */
export async function undoUpdate({ id, updated_at }: Pick<Link, "id" | "updated_at">): Promise<void> {
  const { data } = await client.links.history.query({ id, limit: 20 });
  // Both times are the same clock's.
  const change = data.find(({ at, action }) => action === "update" && at === updated_at);
  if (change) await client.changes.undo.mutate({ id: change.id });
  await refreshAll();
}
