import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { usePlanWith } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Shortcut } from "../../kit/Shortcut.tsx";
import { Ago, Day } from "../../kit/Ago.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import type { Key } from "./key.ts";
import { NewKey } from "./NewKey.tsx";
import { ReplaceKey } from "./ReplaceKey.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { Section } from "../../kit/Section.tsx";
import { MainButton, TextButton } from "../../kit/Button.tsx";

const route = getRouteApi("/settings/keys");

/** API keys: made, shown once, replaced and revoked. The address says whether the form for a new one is open. */
export function Keys() {
  const { settings } = useStrings();
  const { new: isNew } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(api.keys.listOwn.queryOptions());
  const [asked, setAsked] = useState<{ key: Key; to: "revoke" | "replace" } | null>(null);
  const { isIncluded, needed } = usePlanWith("api_keys");
  const close = () => setAsked(null);
  const openForm = (isOpen: boolean) => void navigate({ search: isOpen ? { new: true } : {} });
  return (
    <Section
      title={settings.keys}
      lead={needed ? settings.keysNeed(needed) : settings.keysHint}
      action={
        isIncluded && (
          <MainButton onClick={() => openForm(true)}>
            {settings.createKey}
            <Shortcut name="n" meaning={settings.createKey} run={() => openForm(true)} />
          </MainButton>
        )
      }
    >
      <Rows query={keys} none={settings.noKeys}>
        {(key) => <Row value={key} mayReplace={isIncluded === true} ask={(to) => setAsked({ key, to })} />}
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
              <Day
                at={expires_at}
                say={isOver ? settings.expired : settings.expires}
                className={isOver ? "off" : undefined}
              />
            </>
          )}
        </p>
      </div>
      <span className="moves">
        {mayReplace && (
          <TextButton aria-label={settings.replaceTitle(name)} onClick={() => ask("replace")}>
            {settings.replace}
          </TextButton>
        )}
        <TextButton aria-label={settings.revokeTitle(name)} onClick={() => ask("revoke")}>
          {settings.revoke}
        </TextButton>
      </span>
    </li>
  );
}

function Revoke({ value, close }: { value: Key; close: () => void }) {
  const { settings } = useStrings();
  const revoke = useMutation(
    api.keys.deleteOwn.mutationOptions({
      onSuccess: () => {
        close();
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
