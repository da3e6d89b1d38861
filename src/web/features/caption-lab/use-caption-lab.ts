import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { AnalyzeVideosResponse, VideoCaption } from "#contract/captions.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { cancelAnalysis, readAnalysis, retryAnalysis, startAnalysis } from "../../api/functions/captions.ts";
import { labUploads } from "../../sources/uploads/use-uploads.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { describeBatch, hasEnded, mergeRows } from "./describe-batch.ts";
import { EMPTY_SESSION, isEmpty, type LabSession, restoreSession, saveSession } from "./lab-session.ts";
import { type LabVideos, linksOf, readVideos, writeVideos } from "./lab-videos.ts";

const POLL_MS = 1_000;
const FAILED = "Failed to analyze videos and generate captions. Check your OpenAI API key in settings.";
const NOT_FOUND = 404;

export type CaptionLab = ReturnType<typeof useCaptionLab>;

export function useCaptionLab(owner: string) {
  const toast = useToast();
  const queries = useQueryClient();
  const [local, setLocal] = useState<LabSession>(useRestoredSession(owner));
  const [isStarting, setIsStarting] = useState(false);
  const videos = useMemo(() => readVideos(local.videoLinks), [local.videoLinks]);
  const batch = useBatch(local);
  const rows = mergeRows(local.generatedCaptions, batch.data?.results);
  const isRunning = batch.data !== undefined && !batch.data.isDone;
  const session = {
    ...local,
    generating: isStarting || isRunning,
    generatedCaptions: rows,
    currentProgress: describeBatch(rows),
  };
  useSavedSession(owner, session);
  useEndToast(local, batch.data?.results, isRunning);

  async function run(request: () => Promise<AnalyzeVideosResponse>, kept: readonly VideoCaption[]) {
    if (session.generating) return;
    setIsStarting(true);
    try {
      const started = await request();
      queries.setQueryData(keyOf(started.batchId), started);
      const generatedCaptions = mergeRows(kept, started.results);
      setLocal((now) => ({ ...now, generatedCaptions, batchId: started.batchId }));
    } catch (error) {
      const description = error instanceof CallError && error.status > 0 ? error.message : undefined;
      toast.show({ title: FAILED, description, variant: "destructive" });
    } finally {
      setIsStarting(false);
    }
  }

  function changeVideos(change: (videos: LabVideos) => Partial<LabVideos>) {
    setLocal((now) => {
      const videos = readVideos(now.videoLinks);
      return { ...now, videoLinks: writeVideos({ ...videos, ...change(videos) }) };
    });
  }

  function clear() {
    for (const { id } of labUploads.read().uploads) labUploads.remove(id);
    if (isRunning && local.batchId !== null) void cancelAnalysis(local.batchId).catch(() => {});
    setLocal(EMPTY_SESSION);
    toast.show({ title: "Session Cleared", description: "Links and captions were removed from this browser." });
  }

  return {
    session,
    videos,
    generate: () => run(() => startAnalysis(linksOf(videos)), []),
    /** Keeps existing captions and their edits. */
    retryFailed: () => run(() => retryAnalysis(local.batchId!), rows),
    clear,
    setText: (text: string) => changeVideos(() => ({ text })),
    changeFiles: (change: (files: readonly string[]) => string[]) =>
      changeVideos(({ files }) => ({ files: change(files) })),
    removeFile: (removed: string) => changeVideos(({ files }) => ({ files: files.filter((file) => file !== removed) })),
    setCaption: (place: number, caption: string) =>
      setLocal((now) => ({
        ...now,
        generatedCaptions: rows.with(place, { ...rows[place]!, caption }),
      })),
  };
}

function useBatch({ batchId, generatedCaptions }: LabSession) {
  const isOver = generatedCaptions.every(hasEnded);
  return useQuery({
    queryKey: keyOf(batchId),
    queryFn: async ({ signal }) => {
      try {
        return await readAnalysis(batchId!, signal);
      } catch (error) {
        // The server deletes batches after some days; unfinished ones never complete.
        if (error instanceof CallError && error.status === NOT_FOUND) return endedWithout(batchId!, generatedCaptions);
        throw error;
      }
    },
    enabled: batchId !== null && !isOver,
    refetchInterval: ({ state }) => (state.data?.isDone ? false : POLL_MS),
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
}

function endedWithout(batchId: string, rows: readonly VideoCaption[]) {
  const results = rows.map((row): VideoCaption =>
    hasEnded(row) ? row : { ...row, status: "Failed", stage: null, error: "This video is no longer being analyzed." },
  );
  return { batchId, results, captions: results.map((row) => row.caption ?? ""), isDone: true };
}

function useEndToast(
  { batchId, generatedCaptions }: LabSession,
  results: readonly VideoCaption[] | undefined,
  isRunning: boolean,
) {
  const toast = useToast();
  const watched = useRef<string | null>(null);
  useEffect(() => {
    if (isRunning || (!results && !generatedCaptions.every(hasEnded))) watched.current = batchId;
    if (isRunning || !results || batchId === null || watched.current !== batchId) return;
    watched.current = null;
    const reasons = new Set(results.map((row) => row.error));
    if (results.some((row) => row.status === "Completed")) {
      toast.show({ title: "Captions Generated", description: describeBatch(results), variant: "success" });
    } else {
      const description = reasons.size === 1 ? ([...reasons][0] ?? undefined) : undefined;
      toast.show({ title: FAILED, description, variant: "destructive" });
    }
  }, [batchId, generatedCaptions, isRunning, results, toast]);
}

function keyOf(batchId: string | null): string[] {
  return ["caption-batch", batchId ?? "none"];
}

const SAVE_DELAY_MS = 500;

/** Shows a toast if a stored session was restored. */
function useRestoredSession(owner: string): LabSession {
  const toast = useToast();
  const [session] = useState(() => restoreSession(localStorage, owner) ?? EMPTY_SESSION);
  const isAnnounced = useRef(false);
  useEffect(() => {
    if (isAnnounced.current || isEmpty(session)) return;
    isAnnounced.current = true;
    toast.show({ title: "Session Restored", description: "Your links and captions are as you left them." });
  }, [session, toast]);
  return session;
}

/** Saves after 500 ms without changes, and immediately on leaving the screen. */
function useSavedSession(owner: string, session: LabSession) {
  const text = JSON.stringify(session);
  const newest = useRef(session);
  const savedText = useRef(text);
  useEffect(() => {
    newest.current = session;
  });
  useEffect(() => {
    const save = () => {
      if (savedText.current === text) return;
      saveSession(localStorage, owner, newest.current);
      savedText.current = text;
    };
    const timer = setTimeout(save, SAVE_DELAY_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [owner, text]);
  useEffect(
    () => () => {
      const left = JSON.stringify(newest.current);
      if (savedText.current !== left) saveSession(localStorage, owner, newest.current);
      savedText.current = left;
    },
    [owner],
  );
}
