import { useNavigate } from "@tanstack/react-router";
import { CircleAlert, Link2 } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useState, type KeyboardEvent } from "react";
import { paths } from "../../app/routing/paths.ts";
import { handOverTable } from "../../sources/uploads/dropped-table.ts";
import { DropTarget } from "../../sources/uploads/drop-target.tsx";
import { jobUploads, type UploadStore } from "../../sources/uploads/use-uploads.ts";
import { controlClasses, edgeClasses } from "../../ui/fields/field.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { readPastedLinks } from "./pasted-links.ts";

const LABEL = "Paste links or drop files to start a job";
const DROP_LABELS = {
  video: "Drop to start a job",
  music: "Drop to start a job with this music",
  image: "Drop to start a job with this watermark",
  subtitles: "Drop to start a job with these subtitles",
  table: "Drop to start a job with this table of videos",
} as const;

/** Opens the job form with links pasted anywhere on the screen or dropped files. */
export default function QuickStart() {
  const navigate = useNavigate();
  const [hasNoLink, setHasNoLink] = useState(false);
  const dropStore = useMemo(
    (): UploadStore => ({
      ...jobUploads,
      add: (files) => {
        jobUploads.add(files);
        void navigate({ to: paths.createJob });
      },
    }),
    [navigate],
  );

  function openTable(file: File) {
    handOverTable(file);
    void navigate({ to: paths.createJob });
  }
  function open(text: string): boolean {
    const links = readPastedLinks(text);
    setHasNoLink(links.length === 0 && text.trim() !== "");
    if (links.length === 0) return false;
    jobUploads.deliver("video", links);
    void navigate({ to: paths.createJob });
    return true;
  }
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, [role=dialog]");
    if (isElsewhere && !event.target.closest("[data-quick-start]")) return;
    if (open(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
  });
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("paste", (event) => handlePaste(event), stop);
    return () => stop.abort();
  }, []);
  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === "Enter") open(event.currentTarget.value);
  }
  return (
    <div className="border-b border-line px-6 py-3 max-desk:px-4">
      <div className="relative">
        <Icon icon={Link2} className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
        <input
          type="text"
          data-quick-start
          aria-label={LABEL}
          placeholder={LABEL}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={hasNoLink || undefined}
          aria-describedby="quick-start-hint"
          className={`${controlClasses} ${edgeClasses(hasNoLink ? "no link" : undefined)} raw h-9 pl-9 max-desk:h-11 max-desk:text-[16px]`}
          onChange={() => setHasNoLink(false)}
          onKeyDown={handleKey}
        />
      </div>
      <p
        id="quick-start-hint"
        aria-live="polite"
        className="mt-1.5 flex items-start gap-[5px] text-12 text-failed empty:hidden"
      >
        {hasNoLink && (
          <>
            <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
            There is no link in this text. Paste links that start with https://.
          </>
        )}
      </p>
      <DropTarget store={dropStore} labels={DROP_LABELS} onTable={openTable} />
    </div>
  );
}
