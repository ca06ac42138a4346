import { useMutation } from "@tanstack/react-query";
import { api, client, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import type { Link } from "../links/link.ts";
import { useStrings } from "../strings/strings.tsx";

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries(api.links.pathFilter()),
    queryClient.invalidateQueries(api.changes.pathFilter()),
  ]);

/** Undoes a change and says what came of it. */
export function useUndo() {
  const { history } = useStrings();
  return useMutation(
    api.changes.undo.mutationOptions({
      onSuccess: (result) => {
        if (!("matched" in result)) say(history.undone);
        else if (result.results.length === 0) say(history.undoneMany(result.changed));
        else say(history.undoneSome(result.changed, result.matched, result.results[0]?.error ?? ""));
      },
      onError: ({ message }) => say(message),
      onSettled: refresh,
    }),
  );
}

/** Undoes the update that an answer came from. Throws what the service answers. */
export async function undoUpdate({ id, updated_at }: Pick<Link, "id" | "updated_at">): Promise<void> {
  const { data } = await client.links.history.query({ id, limit: 20 });
  // Both times are the same clock's.
  const change = data.find(({ at, action }) => action === "update" && at === updated_at);
  if (change) await client.changes.undo.mutate({ id: change.id });
  await refresh();
}
