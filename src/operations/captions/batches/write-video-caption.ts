import { ClipmillError } from "#contract/errors.ts";
import type { OpenAiAccess, TokenUsage } from "#integrations/openai/openai.ts";
import { videoPrompt } from "../caption-prompts.ts";
import { cleanCaptions } from "../clean-captions.ts";

/** `transcript` is "" without speech. */
export async function writeVideoCaption(
  access: OpenAiAccess,
  video: { pictures: readonly Buffer[]; seconds: number; transcript: string },
  signal: AbortSignal,
): Promise<{ caption: string; use: TokenUsage }> {
  const question = { ...videoPrompt(video), pictures: video.pictures, count: 1 };
  const { requestCaptions } = await import("#integrations/openai/openai-captions.ts");
  const { captions, use } = await requestCaptions(access, question, signal);
  const caption = cleanCaptions(captions).find((text) => text !== "");
  if (!caption) throw new ClipmillError("unavailable", "OpenAI returned no caption for this video. Try again.");
  return { caption, use };
}
