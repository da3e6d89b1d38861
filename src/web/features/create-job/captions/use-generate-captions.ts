import { useEffect, useRef, useState } from "react";
import type { GenerateCaptionsRequest, GenerateCaptionsResponse } from "#contract/captions.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { callFunction } from "../../../api/functions/call-function.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";

const FAILED = "Failed to generate captions. Check your OpenAI API key in settings.";

/** Sends one request at a time. `cancel` and unmounting abort it, on the server too. */
export function useGenerateCaptions() {
  const toast = useToast();
  const [isGenerating, setIsGenerating] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  function cancel() {
    running.current?.abort();
    running.current = null;
    setIsGenerating(false);
  }
  /** Returns null after cancellation or a failure, which shows a toast. */
  async function generate(request: GenerateCaptionsRequest): Promise<string[] | null> {
    if (running.current) return null;
    const run = new AbortController();
    running.current = run;
    setIsGenerating(true);
    try {
      const { captions } = await callFunction<GenerateCaptionsResponse>("generate-captions", request, run);
      return run.signal.aborted ? null : captions;
    } catch (error) {
      if (!run.signal.aborted) toast.show({ ...describeFailure(error), variant: "destructive" });
      return null;
    } finally {
      if (running.current === run) cancel();
    }
  }
  return { generate, cancel, isGenerating };
}

function describeFailure(error: unknown): { title: string; description: string } {
  if (error instanceof CallError && error.hasServerMessage)
    return { title: error.title ?? "Error", description: error.message };
  return { title: "Error", description: FAILED };
}
