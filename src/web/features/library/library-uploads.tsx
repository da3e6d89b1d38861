import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { UPLOAD_USES } from "#contract/library.ts";
import { DropTarget } from "../../sources/uploads/drop-target.tsx";
import { UploadRow } from "../../sources/uploads/upload-row.tsx";
import {
  useDuplicateToasts,
  libraryUploads,
  useInterruptedUploads,
  useLeaveWarning,
  useUploads,
} from "../../sources/uploads/use-uploads.ts";
import { libraryKey } from "../../sources/use-library.ts";

const DROP = "Drop to upload to the library";
const DROP_LABELS = { video: DROP, music: DROP, image: DROP };

/** Lists unfinished and failed uploads; finished ones are in the file list. Accepts drops anywhere. */
export function LibraryUploads() {
  const client = useQueryClient();
  const { uploads, arrived } = useUploads(libraryUploads);
  useInterruptedUploads(libraryUploads, "library");
  useLeaveWarning(libraryUploads);
  useDuplicateToasts(libraryUploads);
  useEffect(() => {
    const links = Object.values(arrived).flat();
    if (links.length === 0) return;
    libraryUploads.takeArrived();
    void client
      .invalidateQueries({ queryKey: libraryKey })
      // until then, the row shows that the file was added
      .finally(() => UPLOAD_USES.forEach((use) => libraryUploads.forgetDone((link) => !links.includes(link), use)));
  }, [arrived, client]);
  return (
    <>
      <DropTarget store={libraryUploads} labels={DROP_LABELS} />
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="mx-6 mb-4 grid max-h-56 overflow-auto max-desk:mx-4">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} store={libraryUploads} />
          ))}
        </ul>
      )}
    </>
  );
}
