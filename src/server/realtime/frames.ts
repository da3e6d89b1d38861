/** Version 1.0.0 (the default) uses objects, 2.0.0 arrays. */
import { z } from "zod";

export type Frame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
};

export type FrameVersion = "1.0.0" | "2.0.0";

const ref = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? null);
const payload = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {});
const arraySchema = z.tuple([ref, ref, z.string(), z.string(), payload]);
const objectSchema = z.object({ join_ref: ref, ref, topic: z.string(), event: z.string(), payload });

export function decodeFrame(text: string, version: FrameVersion): Frame | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  if (version === "2.0.0") {
    const parsed = arraySchema.safeParse(json);
    if (!parsed.success) return null;
    const [joinRef, ref, topic, event, payload] = parsed.data;
    return { joinRef, ref, topic, event, payload };
  }
  const parsed = objectSchema.safeParse(json);
  if (!parsed.success) return null;
  const { join_ref: joinRef, ...frame } = parsed.data;
  return { joinRef, ...frame };
}

export function encodeFrame(frame: Frame, version: FrameVersion): string {
  const { joinRef, ref, topic, event, payload } = frame;
  if (version === "2.0.0") return JSON.stringify([joinRef, ref, topic, event, payload]);
  return JSON.stringify({ join_ref: joinRef, ref, topic, event, payload });
}
