import { Captions, Clapperboard, Image as ImageGlyph, Music } from "lucide-react";
import type { LibraryFile } from "#contract/calls.ts";
import { classNames } from "../ui/class-names.ts";
import { Icon } from "../ui/page/icon.tsx";

const SIZES = { small: "h-10 w-[23px]", large: "h-16 w-9" } as const;
const IMAGE_SIZES = { small: "size-10", large: "size-16" } as const;
/** Makes both white and black logos visible. */
export const BEHIND_IMAGES = "bg-[#85817a]";
export const FILE_ICONS = { video: Clapperboard, audio: Music, image: ImageGlyph, subtitles: Captions } as const;

/** Falls back to an icon. Decorative: the name is beside it. */
export function SourcePicture({
  file,
  size = "small",
}: {
  file: Pick<LibraryFile, "kind" | "thumbnailUrl"> | null | undefined;
  size?: keyof typeof SIZES;
}) {
  const isImage = file?.kind === "image";
  return (
    <span
      className={classNames(
        "relative grid shrink-0 place-items-center overflow-hidden rounded-1 text-ink-3 after:pointer-events-none after:absolute after:inset-0 after:rounded-1 after:border after:border-line",
        file?.thumbnailUrl ? (isImage ? BEHIND_IMAGES : "bg-screen") : "bg-well",
        (isImage ? IMAGE_SIZES : SIZES)[size],
      )}
    >
      {file?.thumbnailUrl ? (
        <img
          src={file.thumbnailUrl}
          alt=""
          loading="lazy"
          decoding="async"
          className={isImage ? "size-full object-contain p-0.5" : "size-full object-cover"}
        />
      ) : (
        file && <Icon icon={FILE_ICONS[file.kind]} size={14} />
      )}
    </span>
  );
}
