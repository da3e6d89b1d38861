import { rangeOf } from "./cut-chunks.ts";
import { estimateCost } from "../estimate-cost.ts";
import { planRender } from "../plan-render.ts";
import type { RenderRequest } from "../render-plan.ts";

/** `minutes` are those of `estimateCost`. */
export type ChunkLimits = {
  /** Plans that cost less are neither cut into chunks nor shared with other workers. */
  leastMinutes: number;
  /** The longest stretch must be at least that long. */
  leastSeconds: number;
  /** No chunk is shorter or costs less, on average: each starts an encoder. */
  chunkSeconds: number;
  chunkMinutes: number;
};

/** Stretches are not cut further. */
const WHOLE = { seconds: Infinity, lines: {} };

const LEAST_SPEED = 0.5;

/** Tests lower them in processes of their own. */
export const CHUNK_LIMITS: ChunkLimits = {
  leastMinutes: 10,
  leastSeconds: 300,
  chunkSeconds: 30,
  chunkMinutes: 0.25,
};

/**
 * Has long stretches of a costly request encoded in chunks. This depends on nothing but the request, so that its files are
 * the same whichever workers encode them. Call it before stored outputs are left out.
 */
export function withChunks(request: RenderRequest, limits: ChunkLimits = CHUNK_LIMITS): RenderRequest {
  // Most videos need no further plan.
  const playedSeconds = Math.max(...request.sources.map(({ probe }) => probe.durationSeconds)) / LEAST_SPEED;
  if (playedSeconds < limits.leastSeconds) return request;
  const plan = planRender({ ...request, chunks: WHOLE });
  const minutes = estimateCost({ ...plan, sounds: [] });
  const longestSeconds = Math.max(0, ...plan.stretches.map(({ cut }) => cut.seconds));
  if (minutes < limits.leastMinutes || longestSeconds < limits.leastSeconds) return request;
  const count = Math.floor(Math.min(longestSeconds / limits.chunkSeconds, minutes / limits.chunkMinutes));
  if (count < 2) return request;
  const seconds = longestSeconds / count;
  const { stretches } = planRender({ ...request, chunks: { seconds, lines: {} } });
  const lines: Record<string, number> = {};
  for (const stretch of stretches) lines[rangeOf(stretch)] = (lines[rangeOf(stretch)] ?? 0) + 1;
  return { ...request, chunks: { seconds, lines } };
}
