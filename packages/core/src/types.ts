import type { ApiKey, NewApiKey } from "./api-keys/api-key.schema.ts";
import type { Account, Actor } from "./context.ts";
import type { Rebuilding, RebuildReport } from "./clicks/drain/rebuild-report.ts";
import type { ClickLogStats, RawClick } from "./clicks/log/index.ts";
import type { CoreEvent } from "./event.ts";
import type { Plan } from "./plans.ts";

/**
 * The parts of the core as its users see them. These interfaces stand apart from what implements them, so that a service
 * that imports the package compiles without the types of our database.
 */

export type { ApiKey, ClickLogStats, CoreEvent, NewApiKey, RawClick, RebuildReport, Rebuilding };

/** Who a request's credential stands for. */
export interface Credentials {
  /** The actor behind a bearer key, or null where the key is unknown or revoked. */
  byKey(key: string): Promise<Actor | null>;
  /** The actor behind a session token, or null where the session is unknown, ended or past its time. */
  bySession(token: string): Promise<Actor | null>;
}

export interface NewSession {
  id: string;
  /** Value of the `session` cookie; known only now, since only its hash is stored */
  token: string;
  expires_at: string;
}

/** Logins by cookie. */
export interface Sessions {
  /** Signs an account in. */
  create(accountId: string): Promise<NewSession>;
  /** Ends the session behind a token at once; false where there was none. */
  end(token: string): Promise<boolean>;
}

/** What a login provider says of somebody whom it has authenticated. */
export interface Identity {
  /** The provider's name in the settings */
  provider: string;
  /** Who vouches for the subject: the ID token's `iss`, or what stands for it where there is none */
  issuer: string;
  /** What the issuer calls this person, for ever and nobody else */
  subject: string;
  email: string | null;
  /** True only where the provider itself says so: it decides whether the address is proof of anything */
  email_verified: boolean;
  name: string | null;
}

export interface LoginLink {
  /** What the link carries; known only now, since only its hash is stored */
  token: string;
  expires_at: string;
}

/** Ways to become signed in. Each gives the account; `sessions.create` follows. */
export interface Logins {
  /**
   * The account that knows this identity, else the one with its e-mail address where both sides vouch for that, else a
   * new one of plan Free. 400 where what the provider says cannot be stored, 403 without an address, 409 where the
   * address belongs to an account that must not be joined.
   */
  signIn(identity: Identity): Promise<Account>;
  /** Makes a sign-in link for an account, good for one use within 15 minutes. */
  issueLink(accountId: string): Promise<LoginLink>;
  /** Uses a link up; null where it was used, has expired or never was. */
  redeemLink(token: string): Promise<Account | null>;
}

/** What operators and other services do with accounts; no client reaches it. Errors are AppErrors. */
export interface Accounts {
  /** `name` defaults to the part of the address before the @, `plan` to free. 400 and 409. */
  create(user: { email: string; name?: string; plan?: string }): Promise<Account>;
  /** 404 where nobody has that address. Takes effect with the next request. */
  setPlan(email: string, plan: string): Promise<Account>;
  /** 404 where nobody has that address. */
  byEmail(email: string): Promise<Account>;
  /** Oldest first. */
  list(): Promise<(Account & { created_at: string })[]>;
  /** Creates the account unless there is any account at all; null where there was. Safe on several nodes at once. */
  createFirst(user: { email: string; name: string; plan: Plan }): Promise<Account | null>;
}

/** API keys of accounts of any plan: the operator's door. */
export interface Keys {
  /** `name` defaults to "API key". 404 where there is no such account, 400 for a bad name. */
  issue(accountId: string, name?: string): Promise<NewApiKey>;
  /** Ends any account's key at once; false where there is none with that id. */
  revoke(id: string): Promise<boolean>;
}

/** One link to import; empty strings stand for fields left out, as they do in CSV. */
export interface ImportRow {
  url: string;
  slug?: string | undefined;
  title?: string | undefined;
  domain?: string | undefined;
  /** How many rows with the same url, slug and domain stood before this one in the same import */
  occurrence: number;
}

/** What became of a row: made now, already there from an earlier run, or refused with a reason. */
export type ImportResult =
  | { status: "created" | "exists"; id: string; short_url: string; destination: string }
  | { status: "rejected"; reason: string };

/** Many links at once, made from a file. */
export interface Importer {
  /**
   * Imports some hundred rows with one statement: all that can be links become links, or none. A row's id follows from
   * the account and the row, so that an import that is run again, or after a crash, creates nothing twice.
   */
  importBatch(account: Account, rows: readonly ImportRow[]): Promise<ImportResult[]>;
}

/** What of custom domains is no procedure. */
export interface Domains {
  /** True for the service's own hosts and for verified custom domains: those that may have a certificate. One read. */
  isServed(host: string): Promise<boolean>;
  /** Looks up the records of every domain that was not looked at for an hour; answers how many. Throws without a database. */
  checkDue(): Promise<number>;
  /** Keeps doing that until the core is closed, database or not. Any number of nodes may; keeps no process alive. */
  startChecks(): void;
  close(): Promise<void>;
}

/** Visitors from a country are led elsewhere. */
export interface GeoRule {
  /** ISO 3166-1 alpha-2, upper case */
  country: string;
  url: string;
}

/** Visitors are shared out among two to four destinations. */
export interface AbTest {
  variants: { url: string; weight: number }[];
}

/** What is known of the person behind a request. Functions are asked only where a link's rules need the answer. */
export interface Visitor {
  /** ISO 3166-1 alpha-2, or null where unknown; `countryOf` is how clicks get theirs */
  country(): string | null;
  /** The same for the same visitor: A/B variants stick to it */
  id(): string;
  /** What the visitor typed into the password form */
  password?: string | undefined;
  /** What a right password gave earlier, in place of one: see Decision */
  pass?: string | undefined;
}

/** What a short URL answers; made here, carried out by the short-link host in one place. */
export type Decision =
  | { kind: "redirect"; link_id: string; location: string; variant: number | null; pass?: Pass }
  | { kind: "password"; link_id: string; wrong: boolean }
  | { kind: "bucket"; link_id: string; page: BucketPage }
  | { kind: "gone"; reason: "inactive" | "expired" }
  | { kind: "not_found" };

/** What a bucket's page shows. Each `url` is a short one: following it is counted. */
export interface BucketPage {
  /** The page's own short URL */
  readonly url: string;
  readonly name: string;
  readonly links: readonly { readonly title: string; readonly url: string; readonly destination: string }[];
}

/** Given for a right password, so that it is not asked for again: opens this link, and ends when the password changes. */
export interface Pass {
  value: string;
  /** How long it holds */
  seconds: number;
}

/** A link that is a plain redirect. */
export interface PlainRoute {
  readonly link_id: string;
  readonly destination: string;
}

export interface Redirects {
  /**
   * True where a request's Host names the short-link host or a verified custom domain: no other has anything to show.
   * 503 where the database is away and the host was never asked for.
   */
  isServed(host: string): Promise<boolean>;
  /**
   * Decides in the order active, expiry, password, geo rule, A/B variant, destination. `host` is the request's Host,
   * with or without a port; `slug` is percent-decoded, `{slug}/{number}` for a link of a bucket. Links are cached; 503
   * where the database is away and the link was never seen.
   */
  resolve(host: string, slug: string, visitor: Visitor): Promise<Decision>;
  /**
   * The hot path: a cached plain link on the service's own host, or null where `resolve` has to decide. `slug` is
   * plain ASCII; `now` in milliseconds since the epoch. Allocates nothing.
   */
  peek(slug: string, now: number): PlainRoute | null;
  /** Drops what is cached of a short URL in this process. */
  forget(link: { domain_id: string; slug: string }): void;
  /** Listens for changes of links. Without it, and while the connection is lost, cached links are trusted for 1 s. */
  watch(): void;
  /** Cached routes and their estimated bytes; whether changes are heard of. */
  stats(): { routes: number; bytes: number; watched: boolean };
  close(): Promise<void>;
}

/** Guards the passwords of links against guessing: so many wrong ones from one client at one link within `seconds`. */
export interface Guesses {
  readonly points: number;
  readonly seconds: number;
  /**
   * Takes one guess, before it is checked: parallel ones would slip through otherwise. `client` is an address or network.
   * Gives the whole seconds to wait, or null where the guess is free.
   */
  take(linkId: string, client: string): Promise<number | null>;
  /** Gives a guess back, since it was right. */
  giveBack(linkId: string, client: string): Promise<void>;
}

/** Where followed links are kept until they are in the database. */
export interface ClickLogSettings {
  /** A folder of this machine; each process that redirects writes files of its own in it */
  folder: string;
  /**
   * When the disk is told to make clicks durable: "always" before their answers, "interval" every second (default), "off"
   * when a file is closed. In all three a killed process loses nothing; a power cut loses what was not durable.
   */
  fsync?: "always" | "interval" | "off";
  /** Raw clicks older than this are dropped, a month at a time; rollups stay. Default: never */
  retentionDays?: number | undefined;
  /** False where this process only drains what others write; default true */
  writes?: boolean;
}

export interface Clicks {
  /**
   * The hot path: `done` runs once the click is in the log (with fsync "always": durable) or, without a log, counted; never
   * before this returns, and also where that fails. Throws only where the core was made with `writes: false`.
   */
  append(click: RawClick, done: () => void): void;
  /**
   * The same as a promise, with now and nothing for what is left out. Without a click log it counts straight into the
   * database, and throws where that is away. A click without a browser's user agent is a bot's.
   */
  record(click: Partial<RawClick> & { link_id: string }): Promise<void>;
  /** Counts what is in the log now; answers how many clicks that were. */
  drain(): Promise<number>;
  /** Keeps counting until the core is closed, whether the database is there or not. One process a folder does it. */
  startDrain(): void;
  /**
   * Counts all raw clicks anew and repairs rollups that say otherwise, beside running services: counting waits for the
   * month that is looked at. Months whose raw clicks a retention dropped are kept as they are. Each month is a
   * transaction: after an interruption, what was repaired stays repaired.
   */
  rebuild(options?: Rebuilding): Promise<RebuildReport>;
  /** How the log is doing; null without one */
  stats(): ClickLogStats | null;
  close(): Promise<void>;
}
