import { useQuery } from "@tanstack/react-query";
import { useStrings } from "../strings/strings.tsx";

interface Provider {
  name: string;
  title: string;
  login_url: string;
}

interface Answer {
  data: { providers: Provider[] } | null;
  error: string | null;
}

async function loadProviders(): Promise<Provider[]> {
  const response = await fetch("/auth/providers");
  const { data, error } = (await response.json()) as Answer;
  if (!data) throw new Error(error ?? response.statusText);
  return data.providers;
}

/** On a loopback address, the service runs on this machine; else its operator sends sign-in links. */
const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** The page for visitors. After signing in, the provider leads back to the address that was asked for. */
export function SignIn() {
  const strings = useStrings();
  const providers = useQuery({ queryKey: ["providers"], queryFn: loadProviders });
  const target = new URLSearchParams({ return_to: location.pathname + location.search });
  return (
    <main className="card">
      <img src="/favicon.ico" width="36" height="36" alt="" />
      <h1>{strings.signIn.title}</h1>
      <p className="lead">{strings.signIn.lead}</p>
      {providers.data?.map(({ name, title, login_url }) => (
        <a key={name} className="button" href={`${login_url}?${target.toString()}`}>
          {strings.signIn.with(title)}
        </a>
      ))}
      {providers.data?.length === 0 &&
        (isLocal ? (
          <>
            <p>{strings.signIn.local}</p>
            <pre>npm run --silent admin -- login-link --email EMAIL</pre>
          </>
        ) : (
          <p>{strings.signIn.byHand}</p>
        ))}
      <p>
        <a href="/docs">{strings.signIn.documentation}</a>
      </p>
    </main>
  );
}
