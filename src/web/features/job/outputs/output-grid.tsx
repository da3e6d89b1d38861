import { CircleAlert, Play } from "lucide-react";
import { memo, useState, useSyncExternalStore, type CSSProperties, type ReactNode } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { ConformanceDetails } from "../../../jobs/conformance-details.tsx";
import { formatPercent } from "../../../jobs/status/job-progress.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { formatClipLength, formatFileSize } from "../../../ui/text/length-and-size.ts";
import { FailureDetails } from "../failure-details.tsx";
import type { FailureSubject } from "../failure-report.ts";
import { OutputLinks } from "./output-links.tsx";

/** Files shown initially; more are added per click. */
const INITIAL_COUNT = 40;
const MORE_COUNT = 200;

/** The least width of a portrait picture, in px. */
const SIZES = { small: 160, medium: 220, large: 320 } as const;
type Size = keyof typeof SIZES;
const SIZE_KEY = "clipmill-picture-size";
const SIZE_OPTIONS = [
  { value: "small", label: "S" },
  { value: "medium", label: "M" },
  { value: "large", label: "L" },
] as const;
/** Landscape pictures are wider, so that they stay as readable. */
const LANDSCAPE = 1.5;

const listeners = new Set<() => void>();

function readSize(): Size {
  const stored = localStorage.getItem(SIZE_KEY);
  return stored !== null && Object.hasOwn(SIZES, stored) ? (stored as Size) : "small";
}

function chooseSize(size: Size) {
  localStorage.setItem(SIZE_KEY, size);
  for (const listener of listeners) listener();
}

function usePictureSize(): Size {
  return useSyncExternalStore((onChange) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  }, readSize);
}

/** The browser remembers the size, for all jobs. */
export function PictureSize() {
  return <Segmented label="Picture size" options={SIZE_OPTIONS} value={usePictureSize()} onChange={chooseSize} />;
}

type CardProps = { output: JobOutput; subject: FailureSubject; onPlay: (output: JobOutput) => void };

/** Draws each picture in its own shape. */
export function OutputGrid({
  outputs,
  label,
  ...card
}: Omit<CardProps, "output"> & { outputs: readonly JobOutput[]; label?: string }) {
  const size = usePictureSize();
  const [limit, setLimit] = useState(INITIAL_COUNT);
  const hiddenCount = outputs.length - limit;
  const width = SIZES[size] * (outputs.every(({ width: w, height: h }) => (w ?? 0) > (h ?? 0)) ? LANDSCAPE : 1);
  return (
    <>
      <ul
        aria-label={label}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,var(--least)),1fr))] gap-4 max-desk:gap-3"
        style={{ "--least": `${width}px` } as CSSProperties}
      >
        {outputs.slice(0, limit).map((output) => (
          <OutputCard key={output.id} output={output} {...card} />
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button className="mt-4" onClick={() => setLimit(limit + MORE_COUNT)}>
          Show {Math.min(MORE_COUNT, hiddenCount)} more files
        </Button>
      )}
    </>
  );
}

const OutputCard = memo(function OutputCard({ output, subject, onPlay }: CardProps) {
  if (output.status !== "Failed" || !output.error_message) return <Card output={output} onPlay={onPlay} />;
  return (
    <FailureDetails subject={subject} row={output} output={output}>
      {(toggle, panel) => <Card output={output} onPlay={onPlay} toggle={toggle} panel={panel} />}
    </FailureDetails>
  );
});

function Card({
  output,
  onPlay,
  toggle,
  panel,
}: Omit<CardProps, "subject"> & { toggle?: ReactNode; panel?: ReactNode }) {
  const { media_url: mediaUrl, track } = output;
  const text = output.caption ?? output.name;
  return (
    // Open details span the row: a log is unreadable in one column.
    <li className="grid min-w-0 content-start gap-1.5 has-aria-expanded:col-span-full">
      {mediaUrl ? (
        <button
          type="button"
          aria-label={nameOf(output)}
          className="group/play relative rounded-1"
          onClick={() => onPlay(output)}
        >
          <Picture output={output} />
          <span className="absolute bottom-1.5 left-1.5 grid size-6 place-items-center rounded-[3px] bg-[#000000b8] text-[#fff] transition-transform group-hover/play:scale-110">
            <Icon icon={Play} size={14} />
          </span>
        </button>
      ) : (
        <Picture output={output} />
      )}
      <p dir="auto" className="line-clamp-2 text-12 wrap-anywhere text-ink" {...tooltip(text)}>
        {text}
      </p>
      {output.error_message && <p className="text-12 wrap-anywhere text-failed">{output.error_message}</p>}
      {track && mediaUrl && (
        <p className="raw truncate text-12 text-ink-3" {...tooltipWhenCut(track)}>
          {track}
        </p>
      )}
      {toggle && <div className="-ml-2">{toggle}</div>}
      {mediaUrl && (
        <div className="-mr-1.5 flex items-center">
          <span className="tnum min-w-0 flex-1 truncate text-12 text-ink-3">
            {output.size_bytes !== null && formatFileSize(output.size_bytes)}
          </span>
          <OutputLinks mediaUrl={mediaUrl} name={output.name} link={output.link} />
        </div>
      )}
      {output.conformance && mediaUrl && <ConformanceDetails report={output.conformance} name={output.name} />}
      {panel && <div className="has-[>[hidden]]:hidden">{panel}</div>}
      {output.warnings.map(({ message }) => (
        <WarningNote key={message} text={message} />
      ))}
    </li>
  );
}

/** Includes the length, which screen readers skip on the picture. */
function nameOf({ name, duration_seconds: seconds }: JobOutput): string {
  return seconds === null ? `Play ${name}` : `Play ${name}, ${formatClipLength(seconds)}`;
}

/** Reserves the picture's place before it loads; an unfinished file is shown as portrait. */
function Picture({ output }: { output: JobOutput }) {
  const { status, width, height, duration_seconds: seconds } = output;
  const thumbnail = output.cover_url ?? output.thumbnail_url;
  return (
    <div
      className={classNames(
        "relative grid w-full place-items-center overflow-hidden rounded-1 after:pointer-events-none after:absolute after:inset-0 after:rounded-1 after:border after:border-line",
        status === "Completed" ? "bg-screen" : "bg-well",
      )}
      style={{ aspectRatio: width && height ? `${width} / ${height}` : "9 / 16" }}
    >
      {status === "Completed" && thumbnail && (
        <img src={thumbnail} alt="" loading="lazy" decoding="async" className="absolute size-full object-contain" />
      )}
      {status === "Completed" && seconds !== null && (
        <span
          aria-hidden
          className="tnum absolute right-1.5 bottom-1.5 rounded-[3px] bg-[#000000b8] px-1 text-11 font-medium text-[#fff]"
        >
          {formatClipLength(seconds)}
        </span>
      )}
      {status === "Processing" && (
        <>
          <span
            aria-hidden
            className="absolute inset-0 origin-bottom scale-y-(--part) border-t border-accent bg-accent-tint transition-transform duration-(--d-progress) ease-move"
            style={{ "--part": output.progress / 100 } as CSSProperties}
          />
          <span className="tnum relative text-12 font-medium text-ink">{formatPercent(output.progress)}</span>
        </>
      )}
      {status === "Failed" && <Icon icon={CircleAlert} className="text-failed" />}
    </div>
  );
}
