import { Download } from "lucide-react";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { useDownloadZip } from "./use-download-zip.ts";

export function DownloadZipButton({ jobId }: { jobId: string }) {
  const { download, isFetchingLink } = useDownloadZip();
  return <IconButton icon={Download} label="Download zip" isBusy={isFetchingLink} onClick={() => download(jobId)} />;
}
