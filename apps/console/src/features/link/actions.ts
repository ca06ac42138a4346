import { useMutation } from "@tanstack/react-query";
import { api, queryClient } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { type Link, shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";

/** Switches a link on or off: at once on the screen, and back if the service refuses. It can be undone. */
export function useSwitch(link: Link): () => void {
  const { link: words, errors } = useStrings();
  const update = useMutation(
    api.links.update.mutationOptions({
      onMutate: ({ id, is_active }) => show(id, is_active ? 1 : 0),
      onSuccess: (saved, { id, is_active }) =>
        say((is_active ? words.switchedOn : words.switchedOff)(shortName(saved)), () =>
          update.mutate({ id, is_active: is_active ? 0 : 1 }),
        ),
      onError: ({ message }, { id, is_active }) => {
        show(id, is_active ? 0 : 1);
        say(errors.notSaved(message));
      },
    }),
  );
  return () => update.mutate({ id: link.id, is_active: link.is_active === 1 ? 0 : 1 });
}

const show = (id: string, is_active: 0 | 1) =>
  queryClient.setQueryData(api.links.get.queryKey({ id }), (link) => link && { ...link, is_active });
