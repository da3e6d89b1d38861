import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { createMailer, type Mailer } from "#integrations/mail.ts";

export type ReceivedMail = { to: string; subject: string; text: string };

export type MailServer = {
  mailer: Mailer;
  mails: ReceivedMail[];
  /** Rejects every recipient from now on. */
  reject(): void;
  close(): Promise<void>;
};

/** Starts an SMTP server without TLS or sign-in. `mails` is in order of arrival. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let isRejecting = false;
  const smtp = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) => done(isRejecting ? new Error("Not today") : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        const to = session.envelope.rcptTo.map((recipient) => recipient.address).join(" ");
        mails.push(readMail(to, Buffer.concat(chunks).toString()));
        done();
      });
    },
  });
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const { port } = smtp.server.address() as AddressInfo;
  return {
    mailer: createMailer(`smtp://127.0.0.1:${port}`, "Clipmill <clipmill@clips.test>"),
    mails,
    reject: () => (isRejecting = true),
    close: () => new Promise((resolve) => smtp.close(resolve)),
  };
}

function readMail(to: string, raw: string): ReceivedMail {
  const [head = "", ...body] = raw.split("\r\n\r\n");
  const text = body
    .join("\r\n\r\n")
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { to, subject: /^Subject: (.*)$/m.exec(head)?.[1] ?? "", text: text.replaceAll("\r\n", "\n") };
}
