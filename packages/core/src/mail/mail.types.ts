import type { Permission } from "../kernel/roles.ts";

/** The languages of mails. */
export const mailLanguages = ["en", "de", "fr"] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** A link or an alert in a report; without a name, all that its list has only the first of. */
export interface ReportLine {
  name: string | null;
  count?: number;
  /** The same in the window before */
  before?: number;
  /** The screen of the console with the same number */
  path: string;
}

/** What a report says about a workspace or one of its tags. */
export interface ReportSection extends Pick<ReportLine, "path"> {
  /** Its id, by which the reader's membership is checked once more when the mail is sent */
  workspace: string;
  name: string;
  tag: string | null;
  /** Null if they could not be counted */
  clicks: number | null;
  /** 0.5 means 50 % more than in the window before; null if there were none */
  change: number | null;
  lists: { kind: "best" | "rising" | "broken" | "unreachable" | "fired"; lines: ReportLine[] }[];
}

/**
 * What each kind of mail says. A `path` is one of the console. Names may be anything that people typed: templates show them
 * as plain text. Members of `secret` are removed from the row once the mail is sent.
 */
export interface MailKinds {
  sign_in: { data: { client: string | null }; secret: { code: string; token: string } };
  invitation: {
    data: { workspace: string; inviter: string; role: string; days: number };
    secret: { path: string };
  };
  security: {
    data: {
      event: "key_created" | "passkey_added" | "new_place";
      /** The name of the key or passkey, or how the person signed in */
      about: string;
      /** ISO 8601 */
      at: string;
      /** The shortened address, and browser and system, as in the activity */
      network: string | null;
      client: string | null;
      path: string;
    };
  };
  alert_fired: {
    data: {
      name: string;
      kind: "silence" | "surge";
      clicks: number;
      usual: number | null;
      hours: number;
      path: string;
    };
  };
  domain_failed: { data: { domain: string; path: string } };
  webhook_off: { data: { host: string; isGone: boolean; path: string } };
  job_ended: {
    data: {
      /** Its kind, such as "links.update" */
      job: string;
      status: "done" | "failed" | "cancelled";
      done: number;
      failed: number;
      path: string;
    };
  };
  report: {
    data: {
      frequency: "weekly" | "monthly";
      /** The first and the last day, such as 2026-11-02 */
      from: string;
      to: string;
      sections: ReportSection[];
    };
  };
}
export type MailKind = keyof MailKinds;

/** A mail to queue: its kind, and what its template needs. */
export type Mail = { [K in MailKind]: { kind: K } & MailKinds[K] }[MailKind];

/** What a person can switch off; the kinds that are missing here always arrive. */
export const topicOf = {
  alert_fired: "notices",
  domain_failed: "notices",
  webhook_off: "notices",
  job_ended: "notices",
  report: "reports",
} as const satisfies Partial<Record<MailKind, string>>;
export type MailTopic = (typeof topicOf)[keyof typeof topicOf];
export const mailTopics: readonly MailTopic[] = ["notices", "reports"];
/** The topic of a kind, or null if it cannot be switched off. */
export const topicOfKind = (kind: MailKind): MailTopic | null =>
  (topicOf as Partial<Record<MailKind, MailTopic>>)[kind] ?? null;

/**
 * Who gets a mail: a person, at their verified address and in their language, or an address, which the caller has checked. A
 * person gets nothing while the address is not verified, the account is suspended or being deleted, or the topic is off.
 */
export type Recipient =
  | { person: string }
  /** Every member of a workspace whose role has a permission; each as a person */
  | { workspace: string; permission: Permission }
  | { address: string; language: MailLanguage | null; account_id?: string | null };

/** The server that takes mails, and the sender. */
export interface MailSettings {
  /** smtp: or smtps:, with a name and a password if the server wants them */
  url: string;
  /** The sender: an address, or `Name <address>` */
  from: string;
  /** Certificates (PEM) of authorities that sign the server's certificate, beside those that Node knows; for tests */
  ca?: string | undefined;
}

/** A mail as the operator sees it, rendered without its secrets. */
export interface ListedMail {
  id: string;
  kind: MailKind;
  address: string;
  status: "waiting" | "sent" | "failed" | "expired";
  subject: string;
  text: string;
  created_at: string;
  attempts: number;
  /** When it is tried next, or was sent or given up */
  at: string;
  /** The server's last answer, if that was a refusal */
  problem: string | null;
}

/** Mail to people. Mails are queued in the transactions of what they tell (`queueMail`). */
export interface Mails {
  /** Whether a server is set; without one, mails wait until they expire, and the operator can read them */
  readonly isSet: boolean;
  /** Sends what is due now; returns how many were sent. */
  sendDue(): Promise<number>;
  /** The newest mails, with their texts. For operators. */
  list(limit?: number): Promise<ListedMail[]>;
  /** The topic that a signed link switches off, or null if the link is not ours. */
  topicOf(token: string): Promise<MailTopic | null>;
  /** Switches the topic of a signed link off; null as above. */
  unsubscribe(token: string): Promise<MailTopic | null>;
  start(): void;
  close(): Promise<void>;
}
