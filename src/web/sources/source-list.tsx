import { useState } from "react";
import { pluralize } from "../jobs/row/pluralize.ts";
import { formatClipLength } from "../ui/text/length-and-size.ts";
import { tooltipWhenCut } from "../ui/page/tooltip.ts";
import { ListenButton, ListenLink } from "./listen-button.tsx";
import { namedSources, type NamedSource } from "./named-sources.ts";
import { SourcePicture } from "./source-picture.tsx";
import { useLibrary } from "./use-library.ts";

/** Shows more on request, to keep the field in view. */
const MAX_SHOWN = 4;

export function SourceList({ links, isMusic = false }: { links: readonly string[]; isMusic?: boolean }) {
  const library = useLibrary(links);
  const [isOpen, setIsOpen] = useState(false);
  const sources = namedSources(links, library, isMusic);
  if (sources.length === 0) return null;
  const more = sources.length - MAX_SHOWN;
  return (
    <ul aria-label={isMusic ? "Tracks" : "Videos from the library"} className="grid">
      {sources.slice(0, isOpen ? undefined : MAX_SHOWN).map((source) => (
        <Row key={source.link} source={source} isMusic={isMusic} />
      ))}
      {more > 0 && !isOpen && (
        <li>
          <button
            type="button"
            className="min-h-6 rounded-1 text-12 text-ink-3 underline underline-offset-2 max-desk:min-h-11"
            onClick={() => setIsOpen(true)}
          >
            and {pluralize(more, isMusic ? "more track" : "more video")}
          </button>
        </li>
      )}
    </ul>
  );
}

function Row({ source: { link, name, file }, isMusic }: { source: NamedSource; isMusic: boolean }) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-t border-line py-0.5 first:border-t-0">
      <SourcePicture file={file ?? { kind: isMusic ? "audio" : "video", thumbnailUrl: null }} />
      <span className="min-w-0 flex-1">
        <span className="raw block truncate text-ink" {...tooltipWhenCut(name)}>
          {name}
        </span>
        {file && <span className="tnum block text-12 text-ink-3">{formatClipLength(file.durationSeconds)}</span>}
      </span>
      {isMusic && (file ? <ListenButton file={file} /> : <ListenLink link={link} name={name} />)}
    </li>
  );
}
