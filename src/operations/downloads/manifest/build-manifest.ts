import { stringify } from "csv-stringify/sync";
import type { JobRow, JobSettings, RowSettings } from "#contract/job-settings/job-settings.ts";
import { pickSettings, SETTING_NAMES } from "#contract/job-settings/setting-values.ts";
import { formatOfFile, languageOfFile, settingsOfVideo, subtitleLanguageOf } from "#contract/jobs/video-settings.ts";
import {
  type Manifest,
  MANIFEST_COLUMNS,
  MANIFEST_VERSION,
  type ManifestLine,
  type ManifestOutput,
} from "#contract/manifest/manifest.ts";
import { manifestColumn } from "#contract/manifest/pass-columns.ts";
import { publicLink } from "#contract/manifest/public-link.ts";
import { protectCell } from "#contract/table/cell-protection.ts";
import { subtitleName } from "../../jobs/videos/output-subtitles.ts";
import { toLink } from "../../jobs/links/make-links.ts";
import { coverName, type JobFile } from "../job-files.ts";

export type ManifestJob = JobSettings & { id: string; created_at: string; updated_at: string };

/** Pure: the same rows return the same manifest. */
export function buildManifest(job: ManifestJob, files: readonly JobFile[]): Manifest {
  // Every link is in the request and in its outputs.
  const known = new Map<string, string>();
  const toPublic = (link: string): string => {
    const found = known.get(link) ?? publicLink(link);
    known.set(link, found);
    return found;
  };
  const request = requestOf(job, toPublic);
  return {
    manifest_version: MANIFEST_VERSION,
    job: { id: job.id, job_name: job.job_name, created_at: job.created_at, ended_at: job.updated_at },
    request,
    shortened_links: [...new Set([...known].flatMap(([link, found]) => (link === found ? [] : [found])))],
    outputs: files.map((file) => toOutput(job, file, toPublic)),
  };
}

/** Omits sets, which may have changed since: their contents are in the job. */
function requestOf(job: JobSettings, toPublic: (link: string) => string): Manifest["request"] {
  const { input_videos, rows, slots, exclude, custom_audio_links, ...settings } = pickSettings(job, SETTING_NAMES);
  return {
    ...withPublicLinks(settings, toPublic),
    caption_set_id: null,
    audio_set_id: null,
    custom_audio_links: custom_audio_links.map(toPublic),
    slots: slots.map(({ name, captions, clips }) => {
      const publicClips = clips.map(({ link, subtitles, ...trim }) => {
        const clip = { link: toPublic(link), ...trim };
        return subtitles ? Object.assign(clip, { subtitles: toPublic(subtitles) }) : clip;
      });
      return captions ? { name, clips: publicClips, captions } : { name, clips: publicClips };
    }),
    exclude: exclude.map(([a, b]) => [isLink(a) ? toPublic(a) : a, isLink(b) ? toPublic(b) : b]),
    ...(rows.length > 0
      ? { rows: rows.map((row) => requestRow(row, toPublic)) }
      : { input_videos: input_videos.map(toPublic) }),
  };
}

function requestRow({ link, settings, ...row }: JobRow, toPublic: (link: string) => string): JobRow {
  if (!settings) return { link: toPublic(link), ...row };
  const { caption_set_id: _captionSet, audio_set_id: _audioSet, custom_audio_links: tracks, ...own } = settings;
  const music = tracks && { custom_audio_links: tracks.map(toPublic) };
  return { link: toPublic(link), settings: { ...withPublicLinks(own, toPublic), ...music }, ...row };
}

const LINKS = ["intro_link", "outro_link", "subtitles"] as const;

function withPublicLinks<Settings extends Pick<RowSettings, (typeof LINKS)[number]>>(
  settings: Settings,
  toPublic: (link: string) => string,
): Settings {
  const links = LINKS.flatMap((name) => (typeof settings[name] === "string" ? [[name, toPublic(settings[name])]] : []));
  return { ...settings, ...Object.fromEntries(links) };
}

function toOutput(job: JobSettings, file: JobFile, toPublic: (link: string) => string): ManifestOutput {
  const row: RowSettings = file.row_settings ?? {};
  const { custom_captions: _captions, custom_audio_links: _tracks, ...own } = row;
  const settings = withPublicLinks(own, toPublic);
  const whole = settingsOfVideo(job, row);
  const track = file.track_link ?? file.track;
  return {
    output: file.name,
    source: toPublic(file.link),
    row: file.position + 1,
    variant: file.variant + 1,
    segment: file.segment + 1,
    caption: file.caption,
    track: track && (isLink(track) ? toPublic(track) : track),
    start_seconds: toMilliseconds(file.start_seconds),
    end_seconds: toMilliseconds(file.end_seconds),
    duration_seconds: toMilliseconds(file.duration_seconds),
    width: file.width,
    height: file.height,
    size_bytes: file.size_bytes,
    sha256: file.sha256,
    link: toLink(file.route),
    clicks: file.clicks ?? null,
    cover: file.cover && coverName(file.name),
    subtitles: file.srt && subtitleName(file.name, "srt", subtitleLanguageOf(whole, file.variant)),
    language: languageOfFile(whole, file.variant),
    track_name: file.track && (isLink(file.track) ? toPublic(file.track) : file.track),
    format: formatOfFile(whole, file.variant),
    settings,
    parts: (file.clips ?? []).map((clip, i) => {
      const slot = job.slots[i]!;
      return { slot: slot.name, clip: clip + 1, link: toPublic(slot.clips[clip]!.link) };
    }),
    warnings: file.warnings,
    conformance: file.conformance,
  };
}

/** A track's name is its link until the file's name is known. */
function isLink(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function toMilliseconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000) / 1_000;
}

/** Limit for all passed cells: a row with many outputs could otherwise fill gigabytes. */
const MAX_PASSED_CHARACTERS = 32 * 1024 ** 2;

export type PassedLine = { line: ManifestLine; pass: Readonly<Record<string, string>> | null };

/**
 * RFC 4180 in UTF-8 with a byte order mark, which spreadsheets need. Passed columns come last; above 32 million
 * characters, only the first line of each row has them.
 */
export function manifestCsv(lines: readonly PassedLine[]): string {
  const passed = [...new Set(lines.flatMap(({ pass }) => Object.keys(pass ?? {})))];
  const isLarge = lines.reduce((sum, { pass }) => sum + charactersOf(pass), 0) > MAX_PASSED_CHARACTERS;
  let lastRow = 0;
  const cells = lines.map(({ line, pass }) => {
    const isLeftOut = isLarge && line.row === lastRow;
    lastRow = line.row;
    return [
      ...MANIFEST_COLUMNS.map((column) => toCell(line[column])),
      ...passed.map((column) => toCell(!isLeftOut && pass && Object.hasOwn(pass, column) ? pass[column]! : null)),
    ];
  });
  const header = [...MANIFEST_COLUMNS, ...passed.map(manifestColumn)].map(protectCell);
  // Without quotes, a single CR or LF in a cell would end the record in a spreadsheet.
  return stringify([header, ...cells], { bom: true, record_delimiter: "windows", quoted_match: /[\r\n]/ });
}

function toCell(value: string | number | null): string {
  return typeof value === "string" ? protectCell(value) : String(value ?? "");
}

function charactersOf(pass: PassedLine["pass"]): number {
  return Object.values(pass ?? {}).reduce((sum, cell) => sum + cell.length, 0);
}
