import { useEffect, useState, useSyncExternalStore } from "react";
import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { readTranscript, updateTranscript } from "../../../api/functions/transcripts.ts";
import { useSession } from "../../../api/connection/session.ts";
import { openDraftStore } from "../draft/draft-store.ts";
import { createTranscriptEditor, type EditorView, type TranscriptEditor } from "../draft/transcript-editor.ts";

/** Throws CallError if edits are still unsaved. */
export async function requireSaved(flush: TranscriptEditor["flush"]): Promise<void> {
  if (!(await flush())) throw new CallError(0, "The corrections are not saved yet. Try again once they are.");
}

export function useTranscriptEditor(transcript: WholeTranscript): { editor: TranscriptEditor; view: EditorView } {
  const owner = useSession().open?.userId ?? "";
  const { id } = transcript;
  const [editor] = useState(() =>
    createTranscriptEditor({
      transcript,
      drafts: openDraftStore({ owner, id, local: localStorage }),
      save: (edited) => updateTranscript(id, edited),
      load: () => readTranscript(id),
    }),
  );
  const view = useSyncExternalStore(editor.subscribe, editor.read);
  useEffect(() => {
    const stop = new AbortController();
    editor.start();
    window.addEventListener("pagehide", editor.keep, stop);
    document.addEventListener("visibilitychange", editor.keep, stop);
    return () => {
      stop.abort();
      editor.stop();
    };
  }, [editor]);
  useEffect(() => {
    if (view.isKept) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [view.isKept]);
  return { editor, view };
}
