import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, refresh } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { Check } from "../../kit/Choices.tsx";
import { Day } from "../../kit/Ago.tsx";
import { MailPreferences } from "./MailPreferences.tsx";

/** Who the account belongs to, and what its owner agreed to. */
export function Profile() {
  const { settings } = useStrings();
  const profile = useQuery(api.users.profile.queryOptions());
  return (
    <Loaded query={profile}>
      {({ name, email, email_verified, created_at, consents }) => (
        <>
          <Section title={settings.sections.profile}>
            <dl className="profile">
              <div>
                <dt>{settings.name}</dt>
                <dd dir="auto">{name}</dd>
              </div>
              <div>
                <dt>{settings.email}</dt>
                <dd>
                  {email}{" "}
                  <span className={email_verified ? "good" : "soft"}>{settings.proven(email_verified)}</span>
                  {!email_verified && <p className="note">{settings.unprovenHint}</p>}
                </dd>
              </div>
              <div>
                <dt>{settings.since}</dt>
                <dd>
                  <Day at={created_at} />
                </dd>
              </div>
            </dl>
            <p className="note">{settings.profileHint}</p>
          </Section>
          <MailPreferences />
          <Marketing agreed={consents.marketing} />
        </>
      )}
    </Loaded>
  );
}

/** The change is shown at once, and taken back if the service refuses it. */
function Marketing({ agreed }: { agreed: boolean }) {
  const { settings } = useStrings();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const update = useMutation(
    api.users.updateConsents.mutationOptions({
      async onSettled() {
        await refresh("users");
        setWanted(null);
      },
    }),
  );
  return (
    <Section title={settings.news}>
      <Check
        checked={wanted ?? agreed}
        onChange={(checked) => {
          setWanted(checked);
          update.mutate({ marketing: checked });
        }}
      >
        {settings.marketing}
      </Check>
      <Wrong>{update.error?.message}</Wrong>
    </Section>
  );
}
