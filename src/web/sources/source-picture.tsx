import { Clapperboard, Music } from "lucide-react";
import type { LibraryFile } from "#contract/calls.ts";
import { classNames } from "../ui/class-names.ts";
import { Icon } from "../ui/page/icon.tsx";

const SIZES = { small: "h-10 w-[23px]", large: "h-16 w-9" } as const;

/** Shows a thumbnail, or an icon for music and missing pictures. Decorative: the name is beside it. */
export function SourcePicture({
  file,
  size = "small",
}: {
  file: Pick<LibraryFile, "kind" | "thumbnailUrl"> | null | undefined;
  size?: keyof typeof SIZES;
}) {
  return (
    <span
      className={classNames(
        "relative grid shrink-0 place-items-center overflow-hidden rounded-1 text-ink-3 after:pointer-events-none after:absolute after:inset-0 after:rounded-1 after:border after:border-line",
        file?.thumbnailUrl ? "bg-screen" : "bg-well",
        SIZES[size],
      )}
    >
      {file?.thumbnailUrl ? (
        <img src={file.thumbnailUrl} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
      ) : (
        file && <Icon icon={file.kind === "audio" ? Music : Clapperboard} size={14} />
      )}
    </span>
  );
}
