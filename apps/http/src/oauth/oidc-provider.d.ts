/** The part of oidc-provider that is used; its own types depend on those of Express. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Client {
    clientId: string;
    clientName?: string;
    redirectUris: string[];
    /** Whether the client is known by a document at its id */
    clientIdMetadataDocument?: true;
    grantTypeAllowed(type: string): boolean;
  }
  /** The context of Koa, with that of the library */
  interface OidcContext {
    req: IncomingMessage;
    status: number;
    body: unknown;
    set(headers: Record<string, string>): void;
    oidc: {
      route: string;
      client: Client;
      session: { accountId: string; state?: { secret: string } };
      result?: { login?: object; consent?: { grantId: string } };
      provider: Provider;
    };
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }
  interface Interaction {
    uid: string;
    params: Record<string, unknown>;
    result: Record<string, unknown>;
    returnTo: string;
    /** Set if the request came from a device */
    deviceCode?: string;
    persist(): Promise<unknown>;
  }
  interface DeviceCode {
    userCode: string;
    deviceInfo?: { address?: string };
  }
  /** The storage interface of the library; lifetimes are in seconds. */
  interface Adapter {
    find(id: string): Promise<Record<string, unknown> | undefined>;
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>;
    findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>;
    upsert(id: string, payload: Record<string, unknown>, lifetime?: number): Promise<void>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    /** The context of the request that is being answered */
    static readonly ctx: OidcContext | undefined;
    Grant: (new (of: {
      jti?: string;
      clientId: string;
      accountId: string;
    }) => Grant) & {
      find(id: string): Promise<Grant | undefined>;
    };
    Interaction: { find(uid: string): Promise<Interaction | undefined> };
    /** Undefined for one that has expired, too */
    Session: { find(id: string): Promise<object | undefined> };
    DeviceCode: { find(code: string): Promise<DeviceCode | undefined> };
    Client: { find(id: string): Promise<Client | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>;
    on(event: "server_error", listener: (ctx: OidcContext, error: Error) => void): void;
    on(event: "error", listener: (error: Error, ctx: OidcContext) => void): void;
  }
  type Check = object;
  type Prompt = object;
  export const interactionPolicy: {
    Prompt: new (about: { name: string; requestable: boolean }, ...checks: Check[]) => Prompt;
    Check: new (
      reason: string,
      description: string,
      check: (ctx: OidcContext) => boolean | Promise<boolean>,
    ) => Check;
  };
  export const errors: Record<"InvalidGrant" | "InvalidTarget", new (description?: string) => Error>;
  export type { Adapter, Client, Interaction, OidcContext };
}
