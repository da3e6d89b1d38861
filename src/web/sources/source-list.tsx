import { X } from "lucide-react";
import { useState } from "react";
import { pluralize } from "../jobs/row/pluralize.ts";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { formatClipLength } from "../ui/text/length-and-size.ts";
import { tooltipWhenCut } from "../ui/page/tooltip.ts";
import { ListenButton, ListenLink } from "./listen-button.tsx";
import { namedSources, type NamedSource } from "./named-sources.ts";
import { SourcePicture } from "./source-picture.tsx";
import { useLibrary } from "./use-library.ts";

/** Shows more on request, to keep the field in view. */
const MAX_SHOWN = 4;

export function SourceList({
  links,
  isMusic = false,
  onRemove,
}: {
  links: readonly string[];
  isMusic?: boolean;
  onRemove?: (link: string) => void;
}) {
  const library = useLibrary(links);
  const [isOpen, setIsOpen] = useState(false);
  const sources = namedSources(links, library, isMusic);
  if (sources.length === 0) return null;
  const more = sources.length - MAX_SHOWN;
  return (
    <ul aria-label={isMusic ? "Tracks" : "Videos from the library"} className="grid">
      {sources.slice(0, isOpen ? undefined : MAX_SHOWN).map((source) => (
        <Row key={source.link} source={source} isMusic={isMusic} onRemove={onRemove} />
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

function Row({
  source: { link, name, file },
  isMusic,
  onRemove,
}: {
  source: NamedSource;
  isMusic: boolean;
  onRemove: ((link: string) => void) | undefined;
}) {
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
      {onRemove && <IconButton icon={X} label={`Remove ${name}`} onClick={() => onRemove(link)} />}
    </li>
  );
}
