import { useStrings } from "../../words/strings.tsx";
import { CopiedText } from "../../kit/CopiedText.tsx";
import { SecretDialog } from "../../kit/SecretDialog.tsx";
import type { NewKey } from "./key.ts";

/** A call that a key with these scopes may make. */
const calls: readonly [scope: NewKey["scopes"][number], path: string][] = [
  ["links:read", "/v1/links"],
  ["account", "/v1/me"],
  ["analytics:read", "/v1/analytics/overview"],
  ["domains", "/v1/domains"],
  ["buckets", "/v1/buckets"],
  ["keys", "/v1/keys"],
  ["webhooks", "/v1/webhooks"],
];

function exampleOf({ key, scopes }: NewKey): string {
  const path = calls.find(([scope]) => scopes.includes(scope))?.[1];
  const authorization = `-H "Authorization: Bearer ${key}"`;
  if (path) return `curl ${location.origin}${path} ${authorization}`;
  return `curl ${location.origin}/v1/links ${authorization} --json '{"url":"https://example.com/"}'`;
}

/** A new key, which nothing shows a second time, with a call that uses it. */
export function KeyOnce({ value, close }: { value: NewKey; close: () => void }) {
  const { settings } = useStrings();
  const example = exampleOf(value);
  return (
    <SecretDialog
      title={settings.keyCreated(value.name)}
      lead={settings.keyOnce}
      secret={value.key}
      label={settings.key}
      copy={settings.copyKey}
      close={close}
    >
      <p>{settings.keyExample}</p>
      <CopiedText value={example} label={settings.command} action={settings.copyCommand} />
      <p className="note">{settings.keyKeep}</p>
    </SecretDialog>
  );
}
