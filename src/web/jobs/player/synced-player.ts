import { useEffect, useState, useSyncExternalStore } from "react";

/** The first video is the clock. */

/** `startSeconds`: position in the video at common time 0. `speed`: its seconds in one of common time; 1 by default. */
type Track = { video: HTMLVideoElement; startSeconds: number; speed?: number };

/** In seconds. `isWaiting`: a video is still loading. */
type PlayerState = { isPlaying: boolean; isWaiting: boolean; time: number; duration: number };

export type SyncedPlayer = {
  /** Keeps the time if the first video stays; otherwise starts over. */
  setTracks: (tracks: readonly Track[]) => void;
  play: () => void;
  pause: () => void;
  toggle: () => void;
  /** Seeks to the middle of the frame at this time. */
  seek: (seconds: number) => void;
  /** Pauses, then moves by this many frames. */
  step: (frames: number) => void;
  read: () => PlayerState;
  subscribe: (listener: () => void) => () => void;
  stop: () => void;
};

const CHECK_MS = 100;
const STOPPED: PlayerState = { isPlaying: false, isWaiting: false, time: 0, duration: 0 };
/** Browsers round: within this time of the end, a video has ended. */
const END_SECONDS = 0.02;

function ignore() {}

function createSyncedPlayer(): SyncedPlayer {
  const listeners = new Set<() => void>();
  let tracks: readonly Track[] = [];
  let state = STOPPED;
  let timer: ReturnType<typeof setInterval> | undefined;
  let frameSeconds: number | null = null;
  let stopWatching: () => void = ignore;

  function publish(change: Partial<PlayerState>) {
    const next = { ...state, ...change };
    if ((Object.keys(next) as (keyof PlayerState)[]).every((key) => next[key] === state[key])) return;
    state = next;
    for (const listener of listeners) listener();
  }

  const clock = () => tracks[0];
  const timeOf = ({ video, startSeconds, speed = 1 }: Track) => (video.currentTime - startSeconds) / speed;
  const placeOf = ({ startSeconds, speed = 1 }: Track, seconds: number) => startSeconds + seconds * speed;

  function durationOf(): number {
    const lengths = tracks
      .map(({ video, startSeconds, speed = 1 }) => (video.duration - startSeconds) / speed)
      .filter(Number.isFinite);
    return lengths.length === 0 ? 0 : Math.max(0, Math.min(...lengths));
  }

  function moveTo(seconds: number) {
    for (const track of tracks) track.video.currentTime = placeOf(track, seconds);
    publish({ time: seconds });
  }

  /** Loaded videos wait for the others. */
  function check() {
    const first = clock();
    if (!first) return;
    const duration = durationOf();
    const isWaiting = tracks.some(({ video }) => video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !video.ended);
    publish({ time: Math.max(0, timeOf(first)), duration, isWaiting: isWaiting && state.isPlaying });
    if (!state.isPlaying) return;
    if (duration > 0 && tracks.some((track) => track.video.ended || timeOf(track) >= duration - END_SECONDS)) moveTo(0);
    for (const track of tracks) {
      if (isWaiting && tracks.length > 1) track.video.pause();
      else if (track.video.paused) void start(track.video);
      if (track === first || isWaiting) continue;
      const { rate, isFar } = correctDrift(timeOf(track) - timeOf(first));
      if (isFar) track.video.currentTime = placeOf(track, timeOf(first));
      track.video.playbackRate = rate * (track.speed ?? 1);
    }
  }

  async function start(video: HTMLVideoElement) {
    try {
      await video.play();
    } catch (error) {
      // Browsers block sound before the first click or key. Interruption by a pause or another file is not an error.
      if (error instanceof DOMException && error.name === "NotAllowedError") player.pause();
    }
  }

  function watchFrames({ video }: Track): () => void {
    let last: { mediaTime: number; presentedFrames: number } | null = null;
    let handle = 0;
    const note: VideoFrameRequestCallback = (_now, frame) => {
      const frames = last === null ? 0 : frame.presentedFrames - last.presentedFrames;
      const passed = last === null ? 0 : frame.mediaTime - last.mediaTime;
      if (frames === 1 && passed > 0) frameSeconds = Math.min(frameSeconds ?? Infinity, passed);
      last = frame;
      handle = video.requestVideoFrameCallback(note);
    };
    // Missing in old browsers, which then step by 1/30 s.
    if (!("requestVideoFrameCallback" in video)) return ignore;
    handle = video.requestVideoFrameCallback(note);
    return () => video.cancelVideoFrameCallback(handle);
  }

  const player: SyncedPlayer = {
    setTracks(next) {
      const previous = clock();
      const isSame = previous !== undefined && next[0]?.video === previous.video;
      const time = isSame ? timeOf(previous) : 0;
      const known = new Set(tracks.map(({ video }) => video));
      const kept = new Set(next.map(({ video }) => video));
      for (const { video } of tracks) if (!kept.has(video)) video.pause();
      tracks = next;
      for (const track of next) {
        const { video, speed = 1 } = track;
        if (isSame && known.has(video)) continue;
        video.playbackRate = speed;
        video.currentTime = placeOf(track, time);
      }
      if (!isSame) {
        stopWatching();
        frameSeconds = null;
        if (next[0]) stopWatching = watchFrames(next[0]);
      }
      timer ??= setInterval(check, CHECK_MS);
      check();
    },
    play() {
      publish({ isPlaying: true });
      check();
    },
    pause() {
      publish({ isPlaying: false, isWaiting: false });
      for (const { video, speed = 1 } of tracks) {
        video.pause();
        video.playbackRate = speed;
      }
    },
    toggle() {
      if (state.isPlaying) player.pause();
      else player.play();
    },
    seek(seconds) {
      const duration = durationOf();
      // Until its length is known, the video remembers the position to seek to.
      const last = duration > 0 ? Math.max(0, duration - END_SECONDS) : Infinity;
      moveTo(Math.min(frameTime(seconds, frameRateOf(frameSeconds)), last));
    },
    step(frames) {
      const first = clock();
      player.pause();
      if (first) moveTo(frameTime(Math.max(0, timeOf(first)), frameRateOf(frameSeconds), frames));
    },
    read: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      stopWatching();
      for (const { video } of tracks) video.pause();
    },
  };
  return player;
}

/** Keeps side-by-side videos on one clock. */

/** Less than half a frame is not noticeable. */
const UNNOTICED_SECONDS = 0.015;
/** Larger drift is corrected by seeking, because catching up would take too long. */
const FAR_SECONDS = 0.3;
/** Maximum deviation from normal speed while catching up. */
const MAX_RATE_CHANGE = 0.15;

/** `isFar`: seek instead of changing the rate. */
type Correction = { rate: number; isFar: boolean };

/** `driftSeconds`: the video's lead over the clock; negative if it lags. */
export function correctDrift(driftSeconds: number): Correction {
  const distance = Math.abs(driftSeconds);
  if (distance > FAR_SECONDS) return { rate: 1, isFar: true };
  if (distance < UNNOTICED_SECONDS) return { rate: 1, isFar: false };
  const change = Math.min(MAX_RATE_CHANGE, distance);
  return { rate: driftSeconds > 0 ? 1 - change : 1 + change, isFar: false };
}

const USUAL_RATES = [24, 25, 30, 50, 60, 24_000 / 1001, 30_000 / 1001, 60_000 / 1001];
const DEFAULT_RATE = 30;
const SAME_RATE = 0.01;

/** Returns 30 for an implausible time between two frames. */
export function frameRateOf(frameSeconds: number | null): number {
  if (frameSeconds === null || frameSeconds <= 1 / 250 || frameSeconds > 1) return DEFAULT_RATE;
  const rate = 1 / frameSeconds;
  const usual = USUAL_RATES.toSorted((a, b) => Math.abs(a - rate) - Math.abs(b - rate))[0]!;
  return Math.abs(usual / rate - 1) < SAME_RATE ? usual : rate;
}

/**
 * Returns the middle of the frame `by` frames after the one at `seconds`: browsers that seek to a frame's start may show
 * the one before.
 */
export function frameTime(seconds: number, framesPerSecond: number, by = 0): number {
  const frame = Math.floor(seconds * framesPerSecond + 1e-3);
  return (Math.max(0, frame + by) + 0.5) / framesPerSecond;
}

export function useSyncedPlayer(): SyncedPlayer {
  const [player] = useState(createSyncedPlayer);
  useEffect(() => player.stop, [player]);
  return player;
}

export function usePlayerState(player: SyncedPlayer): PlayerState {
  return useSyncExternalStore(player.subscribe, player.read);
}
