import type { AuditEntry } from "#contract/calls.ts";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";

const WORDS: Record<string, string> = {
  "account.sign-in": "Signed in",
  "account.sign-up": "Signed up",
  "account.sign-in-link": "Created a sign-in link",
  "account.link": "Moved the account's sign-in to the identity provider",
  "account.sign-out": "Signed out",
  "account.change": "Updated the account",
  "second-step.add": "Started setting up a second step",
  "second-step.pass": "Passed the second step",
  "second-step.remove": "Removed the second step",
  "token.create": "Created an API token",
  "token.revoke": "Revoked an API token",
  "webhooks.rotate": "Rotated a webhook's secret",
  "webhooks.test": "Tested a webhook",
  "webhooks.replay": "Replayed a webhook delivery",
  "webhooks.disable": "Turned off a webhook that stopped responding",
  "account.add": "Added an account",
  "account.disable": "Disabled an account",
  "account.enable": "Enabled an account",
  "account.reset-password": "Reset a password",
  "secrets.rotate": "Rotated the app secret",
  "backup.create": "Created a backup",
  "backup.restore": "Restored a backup",
  "backup.move": "Moved the installation to this database",
  "job.create": "Created a job",
  "job.retry": "Retried all failed videos in a job",
  "job.retry-now": "Retried videos in a job",
  "job.bump": "Moved a job to the front",
  "job.hold": "Put a job on hold",
  "job.release": "Released a job",
  "job.review": "Reviewed a job's files",
  "job.cancel": "Cancelled a job",
  "job.deliver": "Delivered a job's files",
  "job.retry_delivery": "Retried a delivery",
  "job.cancel_delivery": "Cancelled a delivery",
  "job.delete": "Deleted a job",
  "job.make-links": "Made a job's missing links",
  "job.delete-links": "Deleted a job's links",
  "settings.save": "Saved a setting",
  "library.upload": "Uploaded a file",
  "library.rename": "Renamed a library file",
  "library.tag": "Changed a library file's tags",
  "library.delete": "Deleted a library file",
  "captions.generate": "Generated captions",
  "captions.start": "Generated captions from videos",
  "captions.retry": "Retried caption generation",
  "captions.cancel": "Cancelled caption generation",
  "cloak.publish": "Published routes",
  "worker.pause": "Paused a worker",
  "worker.resume": "Resumed a worker",
  "worker.drain": "Drained a worker",
  "worker.forget": "Removed a worker",
  "worker.set-concurrency": "Changed a worker's concurrency",
  "watch_folders.pause": "Paused a watch folder",
  "watch_folders.resume": "Resumed a watch folder",
  "watch_folders.run-again": "Ran a watch folder's file again",
  "queue.pause": "Paused the queue",
  "queue.resume": "Resumed the queue",
};

const THINGS: Record<string, string> = {
  caption_sets: "a caption set",
  audio_sets: "an audio set",
  presets: "a preset",
  brand_kits: "a brand kit",
  domains: "a domain",
  routes: "a route",
  connections: "a connection",
  watch_folders: "a watch folder",
  webhooks: "a webhook",
  transcripts: "a transcript",
  destinations: "a destination",
};
const VERBS: Record<string, string> = { add: "Added", change: "Changed", delete: "Deleted" };

const SETTINGS: Record<string, string> = {
  google_drive_key: "Google Drive key",
  openai_key: "OpenAI key",
  default_variants: "Default variants",
  default_audio_mode: "Default audio mode",
  default_video_gain: "Default video volume",
  default_music_gain: "Default music volume",
  batch_scheduler_url: "Batch Scheduler address",
  warmup_robot_url: "Warmup Robot address",
  output_retention_days: "Days to keep files",
  prefetch_sources: "Fetch videos in advance",
  source_hosts: "Sources",
  text_key: "Text server key",
  text_base_url: "Text server",
  text_model: "Text model",
  vision_key: "Vision server key",
  vision_base_url: "Vision server",
  vision_model: "Vision model",
  transcription_key: "Transcription key",
  transcription_base_url: "Transcription server",
  transcription_model: "Transcription model",
  transcript_names: "Names",
  confirms_rights: "Rights to videos confirmed",
};

/** Returns, for example, "Moved a job to the front"; keeps unknown actions unchanged. */
export function describeAction({ action }: Pick<AuditEntry, "action">): string {
  if (Object.hasOwn(WORDS, action)) return WORDS[action]!;
  const [thing = "", verb = ""] = action.split(".");
  if (Object.hasOwn(THINGS, thing) && Object.hasOwn(VERBS, verb)) return `${VERBS[verb]} ${THINGS[thing]}`;
  return action;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Subject =
  | { kind: "none" }
  /** The job may have been deleted. `name` is null if not recorded. */
  | { kind: "job"; id: string; name: string | null }
  | { kind: "words"; text: string }
  | { kind: "id"; id: string };

/** Returns a job to link to, the recorded name, a setting's label or an ID. */
export function describeSubject({
  action,
  subject,
  subject_name: name,
}: Pick<AuditEntry, "action" | "subject" | "subject_name">): Subject {
  if (subject === null) return { kind: "none" };
  if (action.startsWith("job.") && action !== "job.delete") return { kind: "job", id: subject, name };
  if (name !== null) return { kind: "words", text: HAS_HOST.test(action) ? decodeHost(name) : name };
  if (action === "settings.save" && Object.hasOwn(SETTINGS, subject))
    return { kind: "words", text: SETTINGS[subject]! };
  if (action === "cloak.publish") return { kind: "words", text: `Version ${subject} again` };
  return UUID.test(subject) ? { kind: "id", id: subject } : { kind: "words", text: subject };
}

const HAS_HOST = /^(?:domains|routes)\./;

/** Accepts a domain, optionally followed by a route's slug. */
function decodeHost(name: string): string {
  const end = name.indexOf("/");
  return end === -1 ? decodeDomain(name) : decodeDomain(name.slice(0, end)) + name.slice(end);
}
