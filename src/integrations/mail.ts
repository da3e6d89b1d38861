/** Sends mail through the operator's mail server. */
import { ClipmillError } from "#contract/errors.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;

export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** `<…@…>`; by default a new one. */
  messageId?: string;
};

export type Mailer = {
  /** Throws ClipmillError "unavailable" if the server does not accept the mail. */
  send(mail: Mail): Promise<void>;
};

/** Creates a mailer for `smtp://user:password@host:587` or `smtps://…`; `from` is the sender. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  return {
    async send({ to, ...mail }) {
      // Slow to load; most installations send no mail.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        // An object, so that an address with a comma is not read as two.
        await transport.sendMail({ from, to: { name: "", address: to }, ...mail });
      } catch (cause) {
        throw new ClipmillError("unavailable", "The mail server rejected the message.", { cause });
      }
    },
  };
}
