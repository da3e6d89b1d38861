import { ClipmillError } from "#contract/errors.ts";
import type { AudioStream, Probe } from "../probe/probe-report.ts";

export function requireVideo<Video>(found: { video: Video | null }): Video {
  if (!found.video) {
    throw new ClipmillError("not_a_video", "This file has sound but no picture. Use a video file instead.");
  }
  return found.video;
}

export function requireAudio(found: Probe): AudioStream {
  if (!found.audio) throw new ClipmillError("not_audio", "This file has no sound that can be used as music.");
  return found.audio;
}
