import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { formatDay, formatExact } from "../../kit/format/format.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { type Key, refreshKeys } from "./key.ts";
import { NewKey } from "./NewKey.tsx";
import { ReplaceKey } from "./ReplaceKey.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { Section } from "../../kit/Section.tsx";

const route = getRouteApi("/settings/keys");

/** API keys: made, shown once, replaced and revoked. The address says whether the form for a new one is open. */
export function Keys() {
  const { settings } = useStrings();
  const { new: isNew } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(api.keys.listOwn.queryOptions());
  const plan = useQuery(api.users.plan.queryOptions());
  const [asked, setAsked] = useState<{ key: Key; to: "revoke" | "replace" } | null>(null);
  const smallest = plan.data?.plans.find(({ features }) => features.includes("api_keys"));
  const mayCreate = plan.data?.plans
    .find(({ name }) => name === plan.data.plan)
    ?.features.includes("api_keys");
  const close = () => setAsked(null);
  const openForm = (isOpen: boolean) => void navigate({ search: isOpen ? { new: true } : {} });
  return (
    <Section
      title={settings.keys}
      lead={mayCreate === false && smallest ? settings.keysNeed(smallest.title) : settings.keysHint}
      action={
        mayCreate && (
          <button type="button" className="button" onClick={() => openForm(true)}>
            {settings.createKey}
            <Shortcut name="n" meaning={settings.createKey} run={() => openForm(true)} />
          </button>
        )
      }
    >
      <Rows query={keys} none={settings.noKeys}>
        {(key) => <Row value={key} mayReplace={mayCreate === true} ask={(to) => setAsked({ key, to })} />}
      </Rows>
      {isNew && <NewKey close={() => openForm(false)} />}
      {asked?.to === "replace" && <ReplaceKey value={asked.key} close={close} />}
      {asked?.to === "revoke" && <Revoke value={asked.key} close={close} />}
    </Section>
  );
}

interface RowProps {
  value: Key;
  mayReplace: boolean;
  ask: (to: "revoke" | "replace") => void;
}

function Row({ value, mayReplace, ask }: RowProps) {
  const { settings } = useStrings();
  const { name, prefix, scopes, expires_at, last_used_at } = value;
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return (
    <li>
      <div>
        <p>
          <b dir="auto">{name}</b> <code className="soft">{prefix}…</code>
        </p>
        <p className="note">
          {scopes.length === Object.keys(settings.scopes).length ? settings.allScopes : scopes.join(", ")}
          {" · "}
          {last_used_at ? <Ago at={last_used_at} say={settings.lastSeen} /> : settings.neverUsed}
          {expires_at && (
            <>
              {" · "}
              <time
                dateTime={expires_at}
                title={formatExact(expires_at)}
                className={isOver ? "off" : undefined}
              >
                {isOver ? settings.expired(formatDay(expires_at)) : settings.expires(formatDay(expires_at))}
              </time>
            </>
          )}
        </p>
      </div>
      <span className="moves">
        {mayReplace && (
          <button
            type="button"
            className="text-button"
            aria-label={settings.replaceTitle(name)}
            onClick={() => ask("replace")}
          >
            {settings.replace}
          </button>
        )}
        <button
          type="button"
          className="text-button"
          aria-label={settings.revokeTitle(name)}
          onClick={() => ask("revoke")}
        >
          {settings.revoke}
        </button>
      </span>
    </li>
  );
}

function Revoke({ value, close }: { value: Key; close: () => void }) {
  const { settings } = useStrings();
  const revoke = useMutation(
    api.keys.deleteOwn.mutationOptions({
      onSuccess: async () => {
        close();
        await refreshKeys();
        say(settings.keyRevoked(value.name));
      },
    }),
  );
  return (
    <Confirm
      title={settings.revokeTitle(value.name)}
      action={settings.revoke}
      isPending={revoke.isPending}
      error={refusalOf(revoke.error)}
      close={close}
      onConfirm={() => revoke.mutate({ id: value.id })}
    >
      <p>{settings.revokeMeans}</p>
    </Confirm>
  );
}
