import { useNavigate } from "@tanstack/react-router";
import type { LibraryFile, LibraryKind } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { paths } from "../../app/routing/paths.ts";
import { jobUploads } from "../../sources/uploads/use-uploads.ts";

const USES: Record<LibraryKind, UploadUse> = { video: "video", audio: "music", image: "image", subtitles: "subtitles" };

/**
 * Opens the job form with the files; the last image becomes the watermark, the last subtitle file the only one. Delivered like uploads, so their number is
 * unlimited.
 */
export function useJobFromFiles(): (files: readonly LibraryFile[]) => void {
  const navigate = useNavigate();
  return (files) => {
    for (const [kind, use] of Object.entries(USES)) {
      const links = files.filter((file) => file.kind === kind).map(({ link }) => link);
      if (links.length > 0) jobUploads.deliver(use, links);
    }
    void navigate({ to: paths.createJob });
  };
}
