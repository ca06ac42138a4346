import nodemailer, { type Transporter } from "nodemailer";
import { isLoopback, parseSender } from "./settings.ts";
import type { MailSettings } from "./mail.types.ts";

/** A mail on its way: its parts are already safe to be put into headers, the address has been checked. */
export interface OutgoingMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The link of one-click unsubscribing (RFC 8058), or null */
  unsubscribeUrl: string | null;
}

export interface Smtp {
  /** Resolves once the server has taken the mail. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Milliseconds until a mail is given up for now, whatever the server does. */
export const sendMs = 60_000;
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 5000,
  socketTimeout: 30_000,
};

/**
 * Opens connections to the server when they are needed. With smtp:, the connection is encrypted if the server can do that
 * (STARTTLS); a password is never sent unencrypted to another machine.
 */
export function createSmtp({ url, from, ca }: MailSettings): Smtp {
  const { protocol, hostname, port, username, password } = new URL(url);
  const sender = parseSender(from);
  if (sender === null) throw new TypeError("The sender of mails is not an address");
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const auth =
    username === "" ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const transport: Transporter = nodemailer.createTransport({
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && auth !== undefined && !isLoopback(hostname),
    pool: true,
    maxConnections: 4,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
    ...(auth && { auth }),
    ...(ca !== undefined && { tls: { ca } }),
  });
  const domain = sender.address.slice(sender.address.lastIndexOf("@") + 1);

  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      const sent = transport.sendMail({
        from: sender,
        // As an object, so that no text of it is read as a list of addresses.
        to: { name: "", address: to },
        envelope: { from: sender.address, to: [to] },
        // The same at every try, by which servers and programs recognise a mail that they have already.
        messageId: `<${id}@${domain}>`,
        subject,
        text,
        html,
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "All",
          ...(unsubscribeUrl !== null && {
            "List-Unsubscribe": `<${unsubscribeUrl}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      });
      await endingIn(sendMs, sent);
    },
    close: () => transport.close(),
  };
}

async function endingIn(ms: number, sent: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`The server took longer than ${ms / 1000} s`)), ms);
  await Promise.race([sent, timeout.promise]).finally(() => clearTimeout(timer));
}

/** A server's refusal. */
export interface Refusal {
  /** Trying again is useless */
  isFinal: boolean;
  /** The address does not exist or takes no mail */
  isOfAddress: boolean;
  /** Only this mail is concerned, such as by greylisting; other mails may get through */
  isOfMail: boolean;
  /** One line for the operator, without the mail's text */
  problem: string;
}

/**
 * What an error of `send` means. A server that refuses the recipient or the text with 5xx (RFC 5321 section 4.2.1) does so for
 * good. Everything else, such as a wrong password, is this service's problem and may be over at the next try.
 */
export function refusalOf(error: unknown): Refusal {
  const {
    responseCode = 0,
    command = "",
    response,
    message,
    code,
  } = error as {
    responseCode?: number;
    command?: string;
    response?: string;
    message?: string;
    code?: string;
  };
  const problem = (response ?? message ?? code ?? "unknown")
    .replaceAll(/[\u0000-\u001F\u007F]+/g, " ")
    .slice(0, 300);
  const isOfMail = responseCode >= 400 && /^(?:RCPT TO|DATA)/.test(command);
  const isFinal = isOfMail && responseCode >= 500;
  // 5.7: by a rule of the server, such as against relaying (RFC 3463); 5.1 and 5.2 are about the mailbox.
  const status = /^\d{3}[ -](\d\.\d+\.\d+)/.exec(response ?? "")?.[1];
  const isOfAddress =
    isFinal && command.startsWith("RCPT TO") && (status === undefined || /^5\.[12]\./.test(status));
  return { isFinal, isOfAddress, isOfMail, problem };
}
