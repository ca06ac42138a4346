import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWays } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { loginUrl, useProviders } from "../../kit/api/providers.ts";
import { ProviderMark } from "../../kit/ProviderMark.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** The ways to sign in: shown, added by signing in with another provider, and removed, but never the last one. */
export function Identities() {
  const { settings, signIn } = useStrings();
  const identities = useQuery(api.identities.list.queryOptions());
  const ways = useWays();
  const providers = useProviders();
  const [asked, setAsked] = useState<{ id: string; title: string } | null>(null);
  const unlink = useMutation(
    api.identities.unlink.mutationOptions({
      onSuccess: () => {
        setAsked(null);
        say(settings.unlinked);
      },
    }),
  );
  const titleOf = (name: string) => providers.data?.find((each) => each.name === name)?.title ?? name;
  const unused =
    providers.data?.filter(({ name }) => !identities.data?.some(({ provider }) => provider === name)) ?? [];
  return (
    <Section title={settings.ways} lead={settings.waysHint}>
      <Loaded query={identities}>
        {(all) => (
          <>
            {all.length === 0 && <p>{ways > 0 ? settings.noProvider : settings.onlyLinks}</p>}
            <ul className="rows">
              {all.map(({ id, provider, issuer, created_at }) => (
                <li key={id}>
                  <div>
                    <p className="way">
                      <ProviderMark provider={provider} />
                      {titleOf(provider)}
                    </p>
                    <p className="note">
                      {issuer} · <Ago at={created_at} say={settings.added} />
                    </p>
                  </div>
                  {ways > 1 && (
                    <TextButton
                      aria-label={settings.unlinkTitle(titleOf(provider))}
                      onClick={() => setAsked({ id, title: titleOf(provider) })}
                    >
                      {settings.unlink}
                    </TextButton>
                  )}
                </li>
              ))}
            </ul>
            {all.length === 1 && ways === 1 && <p className="note">{settings.lastWay}</p>}
            {unused.length > 0 && (
              <>
                <p className="note">{settings.addWayHint}</p>
                <ul className="ways stack">
                  {unused.map((provider) => (
                    <li key={provider.name}>
                      <a className="button" href={loginUrl(provider, "/settings/sign-in")}>
                        <ProviderMark provider={provider.name} />
                        {signIn.with(provider.title)}
                      </a>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
      {asked && (
        <Confirm
          title={settings.unlinkTitle(asked.title)}
          action={settings.unlink}
          isPending={unlink.isPending}
          error={refusalOf(unlink.error)}
          close={() => setAsked(null)}
          onConfirm={() => unlink.mutate({ id: asked.id })}
        >
          <p>{settings.unlinkMeans}</p>
        </Confirm>
      )}
    </Section>
  );
}
