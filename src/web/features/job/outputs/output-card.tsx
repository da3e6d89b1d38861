import { CircleAlert, Play } from "lucide-react";
import { memo, type CSSProperties, type ReactNode } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { formatPercent } from "../../../jobs/status/job-progress.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { formatClipLength, formatFileSize } from "../../../ui/text/length-and-size.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { FailureDetails } from "../failure-details.tsx";
import type { FailureSubject } from "../failure-report.ts";
import { ConformanceDetails } from "../../../jobs/conformance-details.tsx";
import { OutputLinks } from "./output-links.tsx";

type OutputCardProps = { output: JobOutput; subject: FailureSubject; onPlay: (output: JobOutput) => void };

export const OutputCard = memo(function OutputCard({ output, subject, onPlay }: OutputCardProps) {
  if (output.status !== "Failed" || !output.error_message) return <Card output={output} onPlay={onPlay} />;
  return (
    <FailureDetails subject={subject} row={output} output={output}>
      {(toggle, panel) => <Card output={output} onPlay={onPlay} toggle={toggle} panel={panel} />}
    </FailureDetails>
  );
});

type CardProps = Omit<OutputCardProps, "subject"> & {
  toggle?: ReactNode;
  panel?: ReactNode;
};

function Card({ output, onPlay, toggle, panel }: CardProps) {
  const { media_url: mediaUrl } = output;
  const text = output.caption ?? output.name;
  return (
    // Open details span the row: a log is unreadable in one column.
    <li className="flex min-w-0 flex-wrap gap-x-2.5 gap-y-2 has-aria-expanded:col-span-full">
      {mediaUrl ? (
        <button
          type="button"
          aria-label={nameOf(output)}
          className="group/play relative self-start rounded-1"
          onClick={() => onPlay(output)}
        >
          <OutputThumb output={output} />
          <span className="absolute bottom-1 left-1 grid h-4 w-5 place-items-center rounded-[2px] bg-[#000000b8] text-[#fff] transition-transform group-hover/play:scale-110">
            <Icon icon={Play} size={12} />
          </span>
        </button>
      ) : (
        <OutputThumb output={output} />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <p dir="auto" className="line-clamp-3 text-12 wrap-anywhere text-ink" {...tooltip(text)}>
          {text}
        </p>
        {output.error_message && <p className="mt-1 text-12 wrap-anywhere text-failed">{output.error_message}</p>}
        {toggle && <div className="mt-auto -ml-2 pt-1">{toggle}</div>}
        {mediaUrl && (
          <>
            {output.track && (
              <p className="raw mt-1 truncate text-12 text-ink-3" {...tooltipWhenCut(output.track)}>
                {output.track}
              </p>
            )}
            {output.size_bytes !== null && (
              <p className="tnum text-12 text-ink-3">{formatFileSize(output.size_bytes)}</p>
            )}
            <div className="mt-auto -ml-1.5 flex max-desk:-ml-3">
              <OutputLinks mediaUrl={mediaUrl} name={output.name} link={output.link} />
            </div>
          </>
        )}
      </div>
      {output.conformance && mediaUrl && <ConformanceDetails report={output.conformance} name={output.name} />}
      {panel && <div className="basis-full has-[>[hidden]]:hidden">{panel}</div>}
      {output.warnings.length > 0 && (
        <div className="basis-full">
          {output.warnings.map(({ message }) => (
            <WarningNote key={message} text={message} />
          ))}
        </div>
      )}
    </li>
  );
}

/** Includes the length, which screen readers skip on the thumbnail. */
function nameOf({ name, duration_seconds: seconds }: JobOutput): string {
  return seconds === null ? `Play ${name}` : `Play ${name}, ${formatClipLength(seconds)}`;
}

function OutputThumb({ output }: { output: JobOutput }) {
  if (output.status === "Completed") {
    return (
      <Thumb className="bg-screen">
        {output.thumbnail_url && (
          <img src={output.thumbnail_url} alt="" loading="lazy" decoding="async" className="size-full object-contain" />
        )}
        {output.duration_seconds !== null && (
          <span
            aria-hidden
            className="tnum absolute right-1 bottom-1 rounded-[2px] bg-[#000000b8] px-1 text-[10px] leading-[14px] font-medium text-[#fff]"
          >
            {formatClipLength(output.duration_seconds)}
          </span>
        )}
      </Thumb>
    );
  }
  if (output.status === "Processing") {
    return (
      <Thumb className="bg-well text-12 font-medium text-ink">
        <span
          aria-hidden
          className="absolute inset-0 origin-bottom scale-y-(--part) border-t border-accent bg-accent-tint transition-transform duration-(--d-progress) ease-move"
          style={{ "--part": output.progress / 100 } as CSSProperties}
        />
        <span className="tnum relative">{formatPercent(output.progress)}</span>
      </Thumb>
    );
  }
  return <Thumb className="bg-well text-failed">{output.status === "Failed" && <Icon icon={CircleAlert} />}</Thumb>;
}

function Thumb({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      className={classNames(
        "relative grid aspect-9/16 w-18 shrink-0 place-items-center self-start overflow-hidden rounded-1 after:pointer-events-none after:absolute after:inset-0 after:rounded-1 after:border after:border-line",
        className,
      )}
    >
      {children}
    </div>
  );
}
