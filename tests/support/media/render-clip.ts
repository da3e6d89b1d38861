/** Renders like the worker and keeps the outputs as hard links, because copying would count toward a render's cost. */
import { link, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { assignOutputs, type Segmentation } from "#contract/jobs/outputs/assignment.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { createSlots } from "#ground/slots.ts";
import type { CaptionLook } from "#media/captions/layout/caption-shape.ts";
import { createDrawings } from "#media/plan/layers.ts";
import { PIXELS_PER_RUN } from "#media/plan/picture-runs.ts";
import { playedSeconds } from "#media/plan/plan-render.ts";
import type { MediaFile } from "#media/plan/render-plan.ts";
import { putAround } from "#media/plan/timeline/timeline.ts";
import { probe } from "#media/probe/probe.ts";
import { probeStraight } from "#media/health/straighten-clock.ts";
import { renderOutputs, type RenderedOutput, type RenderRequest } from "#media/render/render.ts";
import { openStreamCache, type StreamCache } from "#media/render/stream-cache.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import { testTools } from "./media-tools.ts";

/** Does not keep the process alive while idle. */
const drawer = openTextDrawer();

export type ClipRequest = {
  source: string;
  intro?: string;
  outro?: string;
  tracks?: string[];
  captions?: string[];
  captionLook?: Partial<CaptionLook>;
  watermark?: string;
  watermarkImage?: string;
  /** Their images are paths, listed in `images`. */
  layers?: Layer[];
  images?: string[];
  variants?: number;
  segmentation?: Segmentation;
  settings?: Partial<StreamSettings>;
  /** Changes what is rendered. */
  cut?: (request: RenderRequest) => RenderRequest;
  isPictureNeverCut?: boolean;
  ffmpeg?: string;
  tools?: MediaTools;
  streamCache?: StreamCache;
  signal?: AbortSignal;
  onProgress?: (share: number) => void;
};

/** Renders into `folder`. Returns kept files in order of assignment. Throws the failure of any output. */
export async function renderClip(folder: string, request: ClipRequest): Promise<RenderedOutput[]> {
  const tools = { ...(request.tools ?? (await testTools())), ...(request.ffmpeg ? { ffmpeg: request.ffmpeg } : {}) };
  const { captions = [], tracks = [], watermark = null, variants = 1, segmentation = null } = request;
  await mkdir(folder, { recursive: true });
  const { path: source, probe: sourceProbe, ...joined } = await probeStraight(tools, request.source, { folder });
  const counts = { variants, captions: captions.length, tracks: tracks.length };
  const look = Object.entries(request.captionLook ?? {}).map(([name, value]) => [`caption_${name}`, value]);
  const settings = streamSettings({ ...JOB_DEFAULTS, ...Object.fromEntries(look), ...request.settings });
  const durationSeconds = playedSeconds(sourceProbe, tracks.length > 0 && settings.audio_mode === "replace");
  const assignments = assignOutputs({ durationSeconds, ...counts, segmentation });
  const clip = async (file: string | undefined): Promise<MediaFile | null> =>
    file === undefined ? null : { ...(await probeStraight(tools, file, { folder })), revision: file };
  const { cut = (uncut) => uncut } = request;
  const drawings = createDrawings();
  const mark = { text: watermark, image: request.watermarkImage ?? null };
  const names = [path.parse(request.source).name];
  const own = drawings.layersOf(request.layers ?? [], {
    ...{ names, images: new Map(request.images?.map((image) => [image, image])) },
    fill: (pattern, name) => pattern.replaceAll("{part.name}", name),
  });
  const { sources, around } = putAround([{ path: source, probe: sourceProbe, revision: request.source, ...joined }], {
    intro: await clip(request.intro),
    outro: await clip(request.outro),
  });
  return await renderRequest(
    folder,
    cut({
      sources,
      tracks: await Promise.all(
        tracks.map(async (track) => ({
          path: track,
          probe: await probe(tools, track, { use: "music" }),
          revision: track,
        })),
      ),
      drawings: drawings.drawings,
      settings,
      ...(request.isPictureNeverCut ? { isPictureNeverCut: true } : {}),
      outputs: assignments.map(({ window, captionIndex, trackIndex }, i) => {
        const caption = captionIndex === null ? [] : [drawings.captionLayer(captions[captionIndex]!, settings)];
        const layers = [
          ...drawings.watermarkLayers(mark, settings),
          ...own.filter((layer) => layer !== null),
          ...caption,
        ];
        return { key: String(i), parts: around([{ source: 0, window }]), layers, trackIndex };
      }),
    }),
    { ...request, tools },
  );
}

type RenderOf = Pick<ClipRequest, "streamCache" | "signal" | "onProgress"> & { tools: MediaTools };

/** Renders `timelines` of whole clips, which `clips` are numbers of. Returns kept files in their order. */
export async function renderTimelines(
  folder: string,
  request: Omit<RenderOf, "tools"> & { clips: string[]; timelines: number[][]; tools?: MediaTools },
): Promise<RenderedOutput[]> {
  const tools = request.tools ?? (await testTools());
  await mkdir(folder, { recursive: true });
  const files: MediaFile[] = [];
  for (const clip of request.clips) files.push({ ...(await probeStraight(tools, clip, { folder })), revision: clip });
  const outputs = request.timelines.map((clips, i) => ({
    key: String(i),
    parts: clips.map((source) => ({ source, window: null })),
    layers: [],
    trackIndex: null,
  }));
  const sources = files as [MediaFile, ...MediaFile[]];
  const settings = streamSettings(JOB_DEFAULTS);
  const bare = { sources, tracks: [], drawings: [], settings, outputs };
  return await renderRequest(folder, bare, { ...request, tools });
}

/** Output keys are indexes. */
async function renderRequest(folder: string, asked: RenderRequest, request: RenderOf): Promise<RenderedOutput[]> {
  const kept = path.join(folder, "kept");
  await mkdir(kept, { recursive: true });
  const outputs: RenderedOutput[] = [];
  const failures = await renderOutputs(asked, {
    tools: request.tools,
    drawer,
    scratchFolder: path.join(folder, "scratch"),
    streamCache: request.streamCache ?? (await openStreamCache(path.join(folder, "streams"), 1024 ** 3)),
    encoderSlots: createSlots(PIXELS_PER_RUN),
    signal: request.signal ?? new AbortController().signal,
    onProgress: ({ share }) => request.onProgress?.(share),
    async onOutput(output) {
      for (const key of output.keys) {
        const keptPath = path.join(kept, `${key}.mp4`);
        const keptThumbnail = path.join(kept, `${key}.jpg`);
        await keep(output.path, keptPath);
        await keep(output.thumbnailPath, keptThumbnail);
        const keptCover = output.coverPath && path.join(kept, `${key}-cover.jpg`);
        if (keptCover) await keep(output.coverPath!, keptCover);
        outputs[Number(key)] = { ...output, path: keptPath, thumbnailPath: keptThumbnail, coverPath: keptCover };
      }
    },
  });
  for (const failure of failures.values()) throw failure;
  return outputs;
}

async function keep(file: string, kept: string): Promise<void> {
  await rm(kept, { force: true });
  await link(file, kept);
}
