import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { ProviderMark } from "../../kit/ProviderMark.tsx";
import { EmailWay } from "./EmailWay.tsx";
import { PasskeyWay } from "./PasskeyWay.tsx";
import { isLocal, loginUrl, useHasEmail, useProviders } from "../../kit/api/providers.ts";

/** The page names the command that starts admin commands here. */
const admin = document.querySelector<HTMLMetaElement>('meta[name="admin-command"]')?.content;

/** The command that prints a sign-in link for an account; its address is quoted where a shell would read more into it. */
function commandFor(email = "EMAIL"): string {
  const address = /^[\w.+@-]+$/.test(email) ? email : `'${email.replaceAll("'", String.raw`'\''`)}'`;
  return `${admin} login-link --email ${address}`;
}

interface WaysProps {
  returnTo: string;
  elsewhere?: boolean;
  /** Whether the person is signed in, but not recently enough */
  isAgain?: boolean;
}

/**
 * Every way to sign in. In this tab it ends at `returnTo`; with `elsewhere`, it happens in a new tab, which tells this one
 * when it is done, so that this one keeps what was typed.
 */
export function Ways({ returnTo, elsewhere = false, isAgain = false }: WaysProps) {
  return (
    <>
      <Providers returnTo={returnTo} elsewhere={elsewhere} />
      <PasskeyWay returnTo={returnTo} stays={elsewhere} isAgain={isAgain} />
    </>
  );
}

function Providers({ returnTo, elsewhere }: Required<Omit<WaysProps, "isAgain">>) {
  const { signIn } = useStrings();
  const providers = useProviders();
  const hasEmail = useHasEmail();
  // Whose session has ended, or is asked to sign in again.
  const me = useQuery(api.users.me.queryOptions(undefined, { enabled: false }));
  const command = commandFor(me.data?.email);
  if (providers.error) return <Problem error={providers.error} retry={() => void providers.refetch()} />;
  if (!providers.data) return null;
  const byEmail = hasEmail && (
    <EmailWay returnTo={elsewhere ? "/signed-in" : returnTo} elsewhere={elsewhere} />
  );
  if (providers.data.length === 0 && byEmail) return byEmail;
  if (providers.data.length === 0) {
    return isLocal ? (
      <div className="ways stack">
        <p>{signIn.local}</p>
        <p className="command">
          <code>{command}</code>
          <CopyButton text={command} />
        </p>
        <p className="note">{signIn.localNext}</p>
      </div>
    ) : (
      <p>{signIn.byHand}</p>
    );
  }
  return (
    <>
      <ul className="ways stack">
        {providers.data.map((provider) => (
          <li key={provider.name}>
            <a
              className="button"
              href={loginUrl(provider, elsewhere ? "/signed-in" : returnTo)}
              {...(elsewhere && { target: "_blank", rel: "opener" })}
            >
              <ProviderMark provider={provider.name} />
              {signIn.with(provider.title)}
            </a>
          </li>
        ))}
      </ul>
      {byEmail}
    </>
  );
}
