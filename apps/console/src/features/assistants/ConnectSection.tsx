import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHas, usePlanWith } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { useStrings } from "../../words/strings.tsx";
import { CopiedText } from "../../kit/CopiedText.tsx";
import { SelectField, Check } from "../../kit/Choices.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { assistants } from "./assistants.ts";
import { MainButton } from "../../kit/Button.tsx";

const dayMs = 86_400_000;

/** The address of the MCP server, as the metadata for programs has it. */
async function findAddress(): Promise<string> {
  const response = await fetch("/.well-known/oauth-authorization-server");
  const { protected_resources: all } = (await response.json()) as { protected_resources: string[] };
  return all.find((resource) => new URL(resource).pathname === "/mcp") ?? "";
}

/** How an assistant is connected with the account, by a sign-in or with a key that is made here. */
export function ConnectSection() {
  const { assistants: words } = useStrings();
  const address = useQuery({ queryKey: ["mcp-address"], queryFn: findAddress, staleTime: Infinity });
  const { needed } = usePlanWith("mcp");
  const mayCreateKeys = useHas("api_keys") === true;
  return (
    <Section title={words.title} lead={needed ? words.needs(needed) : words.lead}>
      <Loaded query={address}>
        {(found) => (
          <>
            <CopiedText value={found} label={words.address} action={words.copyAddress} />
            <Connect address={found} mayCreateKeys={mayCreateKeys} />
            <p className="note">
              <Link to="/settings/keys">{words.toConnections}</Link>
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Connect({ address, mayCreateKeys }: { address: string; mayCreateKeys: boolean }) {
  const { settings, assistants: words } = useStrings();
  const [name, setName] = useState(assistants[0]?.name ?? "");
  const [isWithKey, setIsWithKey] = useState(false);
  const create = useMutation(api.keys.create.mutationOptions());
  const key = create.data?.key;
  const assistant = assistants.find((each) => each.name === name);
  if (!assistant) return null;
  const { file, text, afterwards, link } = assistant.configure({
    address,
    key: isWithKey ? (key ?? "terse_…") : undefined,
  });
  return (
    <div className="form">
      <SelectField
        label={words.assistant}
        value={name}
        values={assistants.map((each) => each.name)}
        onChange={setName}
      />
      <fieldset>
        <legend>{words.access}</legend>
        <Check type="radio" name="access" checked={!isWithKey} onChange={() => setIsWithKey(false)}>
          {words.signIn}
        </Check>
        <Check type="radio" name="access" checked={isWithKey} onChange={() => setIsWithKey(true)}>
          {words.withKey}
        </Check>
      </fieldset>
      {isWithKey && (
        <>
          <p role="status">{key === undefined ? words.replaceKey : settings.keyOnce}</p>
          {key === undefined && mayCreateKeys && (
            <p>
              <MainButton
                disabled={create.isPending}
                onClick={() =>
                  create.mutate({
                    name,
                    scopes: ["links:read", "links:write", "analytics:read", "buckets"],
                    expires_at: new Date(Date.now() + 365 * dayMs).toISOString(),
                  })
                }
              >
                {words.createKey}
              </MainButton>
            </p>
          )}
          <Wrong>{refusalOf(create.error)}</Wrong>
        </>
      )}
      {link !== undefined && (
        <p>
          <a className="button" href={link}>
            {words.addTo(name)}
          </a>
        </p>
      )}
      <p>{file === null ? words.run : words.putInto(file)}</p>
      <CopiedText value={text} label={words.configuration} action={words.copy} />
      {afterwards !== undefined && (
        <>
          <p>{words.afterwards}</p>
          <CopiedText value={afterwards} label={settings.command} action={settings.copyCommand} />
        </>
      )}
    </div>
  );
}
