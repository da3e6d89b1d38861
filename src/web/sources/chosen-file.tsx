import { CircleAlert, X } from "lucide-react";
import { libraryIdOf, nameSource } from "./named-sources.ts";
import { SourcePicture } from "./source-picture.tsx";
import { useLibrary } from "./use-library.ts";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { Icon } from "../ui/page/icon.tsx";
import { tooltipWhenCut } from "../ui/page/tooltip.ts";
import { formatClipLength, formatFileSize } from "../ui/text/length-and-size.ts";

const KINDS = { video: "This video", image: "This image", subtitles: "This subtitle file" };

/** The one library file of a field. `kind` is the one to show until it is known. */
export function ChosenFile({
  label,
  kind,
  link,
  onRemove,
}: {
  label: string;
  kind: "video" | "image" | "subtitles";
  link: string;
  onRemove: () => void;
}) {
  const library = useLibrary([link]);
  const file = library?.find(({ id }) => id === libraryIdOf(link));
  const name = nameSource(link, library);
  const isGone = library !== undefined && !file;
  return (
    <ul aria-label={label}>
      <li className="flex min-h-12 items-center gap-3">
        <SourcePicture file={file ?? { kind, thumbnailUrl: null }} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-ink" {...tooltipWhenCut(name)}>
            {name}
          </span>
          {file && (
            <span className="tnum block text-12 text-ink-3">
              {kind === "video" && `${formatClipLength(file.durationSeconds)} · `}
              {formatFileSize(file.sizeBytes)}
            </span>
          )}
          {isGone && (
            <span role="alert" className="flex items-start gap-[5px] text-12 text-failed">
              <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
              {KINDS[kind]} was deleted. Choose another one or remove it.
            </span>
          )}
        </span>
        <IconButton icon={X} label={`Remove ${name}`} onClick={onRemove} />
      </li>
    </ul>
  );
}
