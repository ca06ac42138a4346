import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, queryClient } from "../api.ts";
import { formatAgo, formatExact } from "../format.ts";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { useCopy } from "../ui/CopyButton.tsx";
import { Field } from "../ui/Field.tsx";

/** API keys: made, shown once, and revoked. */
export function Keys() {
  const { settings } = useStrings();
  const keys = useQuery(api.keys.listOwn.queryOptions());
  const [name, setName] = useState("");
  const copy = useCopy();
  const refresh = () => queryClient.invalidateQueries(api.keys.pathFilter());
  const create = useMutation(
    api.keys.create.mutationOptions({
      onSuccess: async () => {
        setName("");
        await refresh();
      },
    }),
  );
  const revoke = useMutation(
    api.keys.deleteOwn.mutationOptions({
      onSuccess: async () => {
        await refresh();
        say(settings.keyRevoked);
      },
    }),
  );
  return (
    <section>
      <h2>{settings.keys}</h2>
      <ul className="plain-list">
        {keys.data?.map((key) => (
          <li key={key.id}>
            <span>
              <b dir="auto">{key.name}</b> <code>{key.prefix}…</code>{" "}
              <span className="soft">
                {key.last_used_at ? (
                  <time dateTime={key.last_used_at} title={formatExact(key.last_used_at)}>
                    {settings.lastSeen(formatAgo(key.last_used_at))}
                  </time>
                ) : (
                  settings.neverUsed
                )}
              </span>
            </span>
            <button type="button" className="plain" onClick={() => revoke.mutate({ id: key.id })}>
              {settings.revoke}
            </button>
          </li>
        ))}
      </ul>
      {create.data && (
        <p className="once" role="status">
          {settings.keyOnce} <code>{create.data.key}</code>
          <button type="button" className="plain" onClick={() => void copy(create.data.key)}>
            {settings.copyKey}
          </button>
        </p>
      )}
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(name ? { name } : {});
        }}
      >
        <Field
          label={settings.keyName}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={create.error?.message}
        />
        <button type="submit" className="quiet" disabled={create.isPending}>
          {settings.createKey}
        </button>
      </form>
    </section>
  );
}
