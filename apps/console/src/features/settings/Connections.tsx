import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { Section } from "../../kit/Section.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** Assistants and other programs that act for the account because one signed in to them; each can be ended. */
export function Connections() {
  const { settings } = useStrings();
  const connections = useQuery(api.connections.list.queryOptions());
  const [asked, setAsked] = useState<{ id: string; name: string } | null>(null);
  const end = useMutation(
    api.connections.delete.mutationOptions({
      onSuccess: () => {
        setAsked(null);
        say(settings.connectionEnded);
      },
    }),
  );
  return (
    <Section title={settings.connections} lead={settings.connectionsHint}>
      <Rows query={connections} none={settings.noConnections}>
        {({ id, client_name, client_host, scopes, created_at, last_used_at }) => (
          <li>
            <div>
              <p>
                <b dir="auto">{client_name}</b>{" "}
                <span className="soft">{client_host ?? settings.onYourMachine}</span>
              </p>
              <p className="note">
                {scopes.join(", ")}
                {" · "}
                <Ago at={created_at} say={settings.connectedAt} />
                {" · "}
                {last_used_at ? <Ago at={last_used_at} say={settings.lastSeen} /> : settings.neverUsed}
              </p>
            </div>
            <TextButton
              aria-label={settings.endConnectionTitle(client_name)}
              onClick={() => setAsked({ id, name: client_name })}
            >
              {settings.endConnection}
            </TextButton>
          </li>
        )}
      </Rows>
      {asked && (
        <Confirm
          title={settings.endConnectionTitle(asked.name)}
          action={settings.endConnection}
          isPending={end.isPending}
          error={refusalOf(end.error)}
          close={() => setAsked(null)}
          onConfirm={() => end.mutate({ id: asked.id })}
        >
          <p>{settings.endConnectionMeans}</p>
        </Confirm>
      )}
    </Section>
  );
}
