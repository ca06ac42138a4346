import { isLoopbackHost, type Words } from "@terse/server";
import type { Client, Interaction, Provider } from "oidc-provider";

/** The known facts about a program that wants to act for an account. */
export interface Program {
  /** Its own name, or its host */
  name: string;
  /** Where the answer goes: a host, or the scheme of an app's addresses; null for the user's own machine */
  host: string | null;
  /** The host that has published a description of the program; undefined without one */
  publisher?: string | undefined;
  /** The code that its device shows; undefined if it is not a device */
  deviceCode?: string | undefined;
  /** Where the request of the device came from */
  deviceAddress?: string | undefined;
}

/** The program behind a request; `names` are for one without a name. Null if it is known no longer. */
export async function programOf(
  provider: Provider,
  { params, deviceCode }: Interaction,
  names: Pick<Words["consent"], "aDevice" | "aProgram">,
): Promise<Program | null> {
  const client = await provider.Client.find(String(params["client_id"]));
  if (!client) return null;
  if (deviceCode === undefined) return describe(client, String(params["redirect_uri"]), names);
  const code = await provider.DeviceCode.find(deviceCode);
  if (!code) return null;
  return {
    name: client.clientName ?? names.aDevice,
    host: null,
    deviceCode: code.userCode.replace(/^(.{4})/, "$1-"),
    deviceAddress: code.deviceInfo?.address,
  };
}

function describe(
  { clientId, clientName, clientIdMetadataDocument }: Client,
  redirectUri: string,
  names: Pick<Words["consent"], "aProgram">,
): Program {
  const host = hostOf(new URL(redirectUri));
  const publisher = clientIdMetadataDocument ? new URL(clientId).host : undefined;
  return { name: clientName ?? publisher ?? host ?? names.aProgram, host, publisher };
}

function hostOf({ protocol, host, hostname }: URL): string | null {
  if (protocol !== "http:" && protocol !== "https:") return protocol;
  return isLoopbackHost(hostname) ? null : host;
}
