import { type EventBody, type JobEventData, MAILED_EVENTS } from "#contract/webhooks/webhooks.ts";
import type { Mail } from "#integrations/mail.ts";

type MailedType = (typeof MAILED_EVENTS)[number];

const ENDS: Record<MailedType, (files: string) => { subject: string; opening: string }> = {
  "job.completed": (files) => ({ subject: "completed", opening: `The job has completed with ${files}.` }),
  "job.failed": () => ({ subject: "failed", opening: "The job has failed." }),
  "job.proof_ready": (files) => ({
    subject: "needs approval",
    opening: `The samples of the job are ready: ${files}. Approve them to make the rest.`,
  }),
};

/** The message id is the event's: a repeated mail can be recognized. */
export function composeJobMail(to: string, publicUrl: string, event: { id: string; body: string }): Mail {
  const { type, data } = JSON.parse(event.body) as EventBody & { type: MailedType; data: JobEventData };
  const name = data.job_name || `Job ${data.job_id.slice(0, 8)}`;
  const { subject, opening } = ENDS[type](data.files === 1 ? "1 file" : `${data.files.toLocaleString("en")} files`);
  const lines = [opening, data.error_message, `${publicUrl}/jobs/${data.job_id}`].filter(Boolean);
  const footer = "You receive this email because you turned it on in Settings → Account.";
  return {
    to,
    subject: `${name} ${subject}`.replaceAll(/\s+/g, " "),
    text: `${lines.join("\n\n")}\n\n${footer}\n`,
    messageId: `<${event.id}@${new URL(publicUrl).hostname}>`,
  };
}
