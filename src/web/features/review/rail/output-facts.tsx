import type { ReactNode } from "react";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { ConformanceDetails } from "../../../jobs/conformance-details.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { formatClipLength, formatFileSize } from "../../../ui/text/length-and-size.ts";
import { VerdictLabel } from "../verdicts/verdict-label.tsx";
import { formatDecibels, useLoudness } from "./use-loudness.ts";

export function OutputFacts({ job, output }: { job: Job; output: JobOutput }) {
  const loudness = useLoudness(output);
  const { width, height, duration_seconds: seconds, size_bytes: bytes } = output;
  const facts = [
    width !== null && height !== null && `${width}×${height}`,
    seconds !== null && formatClipLength(seconds),
    bytes !== null && formatFileSize(bytes),
  ].filter((fact) => fact !== false);
  return (
    <section aria-label="Current file" className="border-t border-line px-5 py-4 max-desk:px-4">
      <h2 className="raw text-13 font-medium wrap-anywhere">{output.name}</h2>
      <div className="mt-1">
        <VerdictLabel verdict={output.verdict} reason={output.reason} />
      </div>
      {output.caption !== null && (
        <p dir="auto" className="mt-3 max-h-24 overflow-auto wrap-anywhere whitespace-pre-line text-ink">
          {output.caption}
        </p>
      )}
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-12">
        <Fact name="File">{facts.join(", ")}</Fact>
        {output.track !== null && <Fact name="Music">{output.track}</Fact>}
        <Fact name="Loudness">{loudness}</Fact>
        {job.loudness_lufs !== null && <Fact name="Target">{formatDecibels(job.loudness_lufs)} LUFS</Fact>}
      </dl>
      {output.conformance && <ConformanceDetails key={output.id} report={output.conformance} name={output.name} />}
      {output.warnings.map(({ message }) => (
        <WarningNote key={message} text={message} />
      ))}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="tnum text-right wrap-anywhere text-ink">{children}</dd>
    </>
  );
}
