import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { formatAgo } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { Button, TextButton } from "../../kit/Button.tsx";

/** The signed-in browsers. What is known of each comes from the activity, since sessions themselves keep no address. */
export function Sessions() {
  const { settings } = useStrings();
  const sessions = useQuery(api.sessions.list.queryOptions());
  const activity = useQuery(api.activity.list.queryOptions({ limit: 100 }));
  const end = useMutation(
    api.sessions.end.mutationOptions({
      onSuccess: () => say(settings.ended),
    }),
  );
  const endOthers = useMutation(
    api.sessions.endAll.mutationOptions({
      onSuccess: ({ ended }) => say(settings.endedMany(ended)),
    }),
  );
  const beginningOf = (id: string) =>
    activity.data?.data.find(({ action, by }) => action === "signed_in" && by.id === id);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <Section
      title={settings.sessions}
      lead={settings.sessionsHint}
      action={
        others.length > 0 && (
          <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate({ others: true })}>
            {settings.endOthers}
          </Button>
        )
      }
    >
      <Loaded query={sessions}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, current, created_at, last_seen_at }) => {
              const beginning = beginningOf(id);
              const name = beginning?.client ?? settings.unknownBrowser;
              return (
                <li key={id}>
                  <div>
                    <p>
                      {name}
                      {current && <b className="good"> · {settings.thisBrowser}</b>}
                    </p>
                    <p className="note">
                      {beginning?.network && <>{beginning.network} · </>}
                      <Ago at={created_at} say={settings.signedIn} /> ·{" "}
                      <Ago at={last_seen_at} say={settings.lastSeen} />
                    </p>
                  </div>
                  {!current && (
                    <TextButton
                      disabled={end.isPending}
                      aria-label={settings.endOne(name, formatAgo(created_at))}
                      onClick={() => end.mutate({ id })}
                    >
                      {settings.end}
                    </TextButton>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
