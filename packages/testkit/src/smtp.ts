import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail that the server took. */
export interface ReceivedMail extends ParsedMail {
  /** The addresses of the envelope, to which it was really sent */
  envelope: { from: string; to: string[] };
  isEncrypted: boolean;
  user: string | undefined;
  /** As it was sent */
  source: string;
}

export interface MailServer {
  readonly port: number;
  /** The certificate, to be trusted */
  readonly ca: string;
  readonly received: ReceivedMail[];
  /** Throws what the server answers to a recipient; replaceable */
  onRecipient: (address: string) => void | Promise<void>;
  /** Runs when a mail has arrived, before it is answered; replaceable */
  onMail: (mail: ReceivedMail) => void | Promise<void>;
  close(): Promise<void>;
}

/** An answer of the server, such as 550. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** Answers a command: with success, or with what the work throws. */
async function answer(done: (error?: Error) => void, work: () => void | Promise<void>): Promise<void> {
  const error = await Promise.resolve()
    .then(work)
    .catch((thrown: unknown) => thrown as Error);
  if (error) done(error);
  else done();
}

/**
 * Starts a real SMTP server on a free port of this machine: with `login` it demands authentication, which it allows only on
 * encrypted connections; `secure` is TLS from the first byte, otherwise it offers STARTTLS.
 */
export async function startMailServer({
  cert,
  key,
  login,
  secure = false,
  port = 0,
}: {
  /** Paths of a certificate and its key, such as `makeCertificate` makes */
  cert: string;
  key: string;
  login?: { user: string; pass: string };
  secure?: boolean;
  port?: number;
}): Promise<MailServer> {
  const ca = readFileSync(cert, "utf8");
  const options: SMTPServerOptions = {
    secure,
    cert: ca,
    key: readFileSync(key),
    authOptional: login === undefined,
    allowInsecureAuth: false,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (login && username === login.user && password === login.pass) done(null, { user: username });
      else done(smtpError(535, "5.7.8 Authentication failed"));
    },
    onRcptTo({ address }, _session, done) {
      void answer(done, () => server.onRecipient(address));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        void answer(done, async () => {
          const source = Buffer.concat(chunks);
          const { mailFrom, rcptTo } = session.envelope;
          const mail: ReceivedMail = Object.assign(await simpleParser(source), {
            envelope: { from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address) },
            isEncrypted: session.secure,
            user: session.user,
            source: source.toString(),
          });
          await server.onMail(mail);
          server.received.push(mail);
        });
      });
    },
  };
  const smtp = new SMTPServer(options);
  smtp.on("error", () => {}); // Clients that end the connection, such as one that is killed
  await new Promise<void>((resolve) => smtp.listen(port, "127.0.0.1", resolve));
  const server: MailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    ca,
    received: [],
    onRecipient: () => {},
    onMail: () => {},
    close: () => new Promise((resolve) => smtp.close(resolve)),
  };
  return server;
}
