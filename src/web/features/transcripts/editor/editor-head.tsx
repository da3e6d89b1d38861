import { Link } from "@tanstack/react-router";
import {
  ArrowLeft,
  BookA,
  Captions,
  CircleAlert,
  Download,
  Ellipsis,
  Eye,
  EyeOff,
  FileText,
  Keyboard,
} from "lucide-react";
import type { TranscriptFormat, WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { paths } from "../../../app/routing/paths.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { formatClipLength } from "../../../ui/text/length-and-size.ts";
import type { EditorView, SaveState } from "../draft/transcript-editor.ts";
import { nameLanguage } from "../status.ts";

const FORMAT_LABELS: Record<TranscriptFormat, string> = { srt: "SRT", vtt: "WebVTT", ass: "ASS", txt: "Text" };
const FORMATS = Object.keys(FORMAT_LABELS) as TranscriptFormat[];

export function EditorHead({
  transcript,
  view,
  onExport,
  onHideFillers,
  onShowAll,
  onNames,
  onKeys,
}: {
  transcript: WholeTranscript;
  view: EditorView;
  onExport: (format: TranscriptFormat) => void;
  onHideFillers: () => void;
  onShowAll: () => void;
  onNames: () => void;
  onKeys: () => void;
}) {
  const { name, language, duration_seconds: seconds } = transcript;
  const facts = [nameLanguage(language), formatClipLength(seconds), pluralize(view.editing.lines.length, "line")];
  return (
    <div className="flex items-center gap-2 px-6 py-3 max-desk:px-4">
      <div className="min-w-0 flex-1">
        <Link
          to={paths.transcripts}
          className="inline-flex items-center gap-1.5 rounded-1 text-12 text-ink-3 transition-colors hover:text-ink max-desk:-my-2 max-desk:min-h-11"
        >
          <Icon icon={ArrowLeft} size={14} />
          Transcripts
        </Link>
        <h1 dir="auto" className="truncate text-left text-16" {...tooltipWhenCut(name)}>
          {name}
        </h1>
        <MetaLine parts={[...facts.filter((fact) => fact !== ""), <SaveNote key="saved" view={view} />]} />
      </div>
      <IconButton
        icon={Keyboard}
        label="Editor shortcuts"
        aria-keyshortcuts="?"
        className="max-desk:hidden"
        onClick={onKeys}
      />
      <Menu
        label="Download"
        icon={Download}
        items={FORMATS.map((format) => ({
          label: FORMAT_LABELS[format],
          icon: format === "txt" ? FileText : Captions,
          onSelect: () => onExport(format),
        }))}
      />
      <Menu
        label="More actions"
        icon={Ellipsis}
        items={[
          { label: "Hide fillers", icon: EyeOff, onSelect: onHideFillers },
          { label: "Show all hidden words", icon: Eye, onSelect: onShowAll },
          { label: "Names", icon: BookA, onSelect: onNames },
        ]}
      />
    </div>
  );
}

const STATES: Record<SaveState, string> = {
  saved: "Saved",
  unsaved: "Unsaved changes",
  saving: "Saving",
  stuck: "Not saved: the server can't be reached. Trying again.",
  refused: "Not saved",
  conflict: "Not saved",
};

function SaveNote({ view: { state, isMerged } }: { view: EditorView }) {
  const isProblem = state === "stuck" || state === "refused" || state === "conflict";
  return (
    <output className={isProblem ? "text-failed" : undefined}>
      {isProblem && <Icon icon={CircleAlert} size={14} className="mr-1 inline-block align-[-2px]" />}
      {STATES[state]}
      {isMerged && ", with changes by someone else"}
    </output>
  );
}
