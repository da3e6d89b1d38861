/**
 * Platforms' video requirements, and the areas their controls cover. They change without notice: all were last read on
 * `READ_ON`, and each figure names its source.
 */
import type { Platform } from "./conformance.ts";
import { type Format, FORMAT_SIZES } from "./formats.ts";

export const READ_ON = "2026-11-22";

/** `isVerified`: the platform's own page states it. Other sources repeat, measured or guess it. */
const PLATFORM_SOURCES = {
  tiktokMedia: {
    name: "TikTok for Developers, Media Transfer Guide",
    url: "https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide",
    isVerified: true,
  },
  tiktokSafeZone: {
    name: "AdFuse, TikTok ad sizes; TikTok itself publishes templates only",
    url: "https://adfuseai.com/blog/tiktok-ad-sizes-specs-guide",
    isVerified: false,
  },
  instagramMedia: {
    name: "Instagram Platform, IG User Media; figures as repeated by Ayrshare and Circleboom",
    url: "https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media",
    isVerified: false,
  },
  metaSafeZone: {
    name: "Meta's safe zone of March 2026, as repeated by Behaviour Digital and others",
    url: "https://behaviour.digital/post/meta-reels-safe-zone-14-top-35-bottom-6-sides-the-2026-official-guide",
    isVerified: false,
  },
  youtubeEncoding: {
    name: "YouTube Help, recommended upload encoding settings",
    url: "https://support.google.com/youtube/answer/1722171",
    isVerified: true,
  },
  youtubeShorts: {
    name: "YouTube Help, three-minute YouTube Shorts",
    url: "https://support.google.com/youtube/answer/15424877",
    isVerified: true,
  },
  shortsSafeZone: {
    name: "Your AI Thumbnail Generator, YouTube Shorts safe zones; YouTube publishes none for posts",
    url: "https://www.youraithumbnailgenerator.com/guides/youtube-shorts-safe-zones-complete-guide",
    isVerified: false,
  },
  /** No platform states a target for posts; players' figures suggest this one. */
  loudness: {
    name: "Fora Soft, LUFS targets per platform",
    url: "https://www.forasoft.com/learn/audio-for-video/articles-audio/lufs-targets-per-platform-2026",
    isVerified: false,
  },
} as const;
type Source = keyof typeof PLATFORM_SOURCES;

export type Figure<Value> = { value: Value; source: Source };
type Range = { least: number; most: number };

/** Shares of a 9:16 screen covered at each edge. */
type Insets = { top: number; bottom: number; left: number; right: number };

/** An absent rule is not stated by the platform. */
type PlatformRules = {
  /** Width divided by height. */
  aspect?: Figure<Range>;
  widthPixels?: Figure<Range>;
  heightPixels?: Figure<Range>;
  framesPerSecond?: Figure<Range>;
  seconds?: Figure<Range>;
  maxBytes?: Figure<number>;
  videoCodecs: Figure<readonly string[]>;
  maxVideoKbps?: Figure<number>;
  /** Between keyframes. */
  maxKeyframeSeconds?: Figure<number>;
  audioCodecs: Figure<readonly string[]>;
  audioHz?: Figure<Range>;
  maxAudioChannels?: Figure<number>;
  maxAudioKbps?: Figure<number>;
  /** The moov atom precedes the media. */
  needsIndexInFront?: Figure<true>;
  rejectsEditLists?: Figure<true>;
};

type PlatformFacts = {
  label: string;
  format: Exclude<Format, "source">;
  loudnessLufs: Figure<number>;
  covered: Figure<Insets>;
  rules: PlatformRules;
};

const GIGABYTE = 1_000 ** 3;

export const PLATFORMS: Record<Platform, PlatformFacts> = {
  tiktok: {
    label: "TikTok",
    format: "9:16",
    loudnessLufs: { value: -14, source: "loudness" },
    // 150, 440 and 150 pixels of 1080x1920; nothing on the left.
    covered: { value: { top: 150 / 1920, bottom: 440 / 1920, left: 0, right: 150 / 1080 }, source: "tiktokSafeZone" },
    rules: {
      widthPixels: { value: { least: 360, most: 4_096 }, source: "tiktokMedia" },
      heightPixels: { value: { least: 360, most: 4_096 }, source: "tiktokMedia" },
      framesPerSecond: { value: { least: 23, most: 60 }, source: "tiktokMedia" },
      seconds: { value: { least: 0, most: 600 }, source: "tiktokMedia" },
      maxBytes: { value: 4 * GIGABYTE, source: "tiktokMedia" },
      videoCodecs: { value: ["H.264", "HEVC"], source: "tiktokMedia" },
      audioCodecs: { value: ["AAC"], source: "tiktokSafeZone" },
    },
  },
  reels: {
    label: "Reels",
    format: "9:16",
    loudnessLufs: { value: -14, source: "loudness" },
    covered: { value: { top: 0.14, bottom: 0.35, left: 0.06, right: 0.06 }, source: "metaSafeZone" },
    rules: {
      aspect: { value: { least: 0.01, most: 10 }, source: "instagramMedia" },
      widthPixels: { value: { least: 0, most: 1_920 }, source: "instagramMedia" },
      framesPerSecond: { value: { least: 23, most: 60 }, source: "instagramMedia" },
      seconds: { value: { least: 3, most: 900 }, source: "instagramMedia" },
      // Sources state 300 MB or 1 GB.
      maxBytes: { value: 0.3 * GIGABYTE, source: "instagramMedia" },
      videoCodecs: { value: ["H.264", "HEVC"], source: "instagramMedia" },
      maxVideoKbps: { value: 25_000, source: "instagramMedia" },
      audioCodecs: { value: ["AAC"], source: "instagramMedia" },
      audioHz: { value: { least: 8_000, most: 48_000 }, source: "instagramMedia" },
      maxAudioChannels: { value: 2, source: "instagramMedia" },
      maxAudioKbps: { value: 128, source: "instagramMedia" },
      needsIndexInFront: { value: true, source: "instagramMedia" },
      rejectsEditLists: { value: true, source: "instagramMedia" },
    },
  },
  shorts: {
    label: "Shorts",
    format: "9:16",
    loudnessLufs: { value: -14, source: "loudness" },
    // 480 of 1920 pixels at the bottom; the other edges are our defaults.
    covered: { value: { top: 0.12, bottom: 0.25, left: 0, right: 0.12 }, source: "shortsSafeZone" },
    rules: {
      // Square or upright, at most three minutes.
      aspect: { value: { least: 0.01, most: 1 }, source: "youtubeShorts" },
      seconds: { value: { least: 0, most: 180 }, source: "youtubeShorts" },
      videoCodecs: { value: ["H.264"], source: "youtubeEncoding" },
      // "GOP of half the frame rate"
      maxKeyframeSeconds: { value: 0.5, source: "youtubeEncoding" },
      audioCodecs: { value: ["AAC"], source: "youtubeEncoding" },
      audioHz: { value: { least: 48_000, most: 96_000 }, source: "youtubeEncoding" },
      needsIndexInFront: { value: true, source: "youtubeEncoding" },
      rejectsEditLists: { value: true, source: "youtubeEncoding" },
    },
  },
};

export function sourcesOf(platform: Platform): (typeof PLATFORM_SOURCES)[Source][] {
  const { rules } = PLATFORMS[platform];
  return [...new Set(Object.values(rules).map(({ source }) => source))].map((source) => PLATFORM_SOURCES[source]);
}

/**
 * Fills in what a request omits and its platform sets: `format`, and `loudness_lufs`, where null means off. With several
 * formats, `format` is the first.
 */
export function withPlatformDefaults(request: unknown): unknown {
  if (typeof request !== "object" || request === null) return request;
  const first = firstFormat(request as Record<string, unknown>);
  const body = first === null ? request : { ...request, format: first };
  const { platform, format, loudness_lufs } = body as Record<string, unknown>;
  if (typeof platform !== "string" || !Object.hasOwn(PLATFORMS, platform)) return body;
  const facts = PLATFORMS[platform as Platform];
  const loudness = loudness_lufs === undefined ? facts.loudnessLufs.value : loudness_lufs;
  return { ...body, format: format ?? facts.format, loudness_lufs: loudness };
}

function firstFormat({ formats }: Record<string, unknown>): string | null {
  const first: unknown = Array.isArray(formats) ? formats[0] : null;
  return typeof first === "string" && (first === "source" || Object.hasOwn(FORMAT_SIZES, first)) ? first : null;
}
