import { useMutation } from "@tanstack/react-query";
import { readJobColumns } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";

/** Fetches a new link because the one on screen may have expired. */
export async function downloadZip(jobId: string): Promise<void> {
  const { download_url } = await readJobColumns(jobId, ["download_url"]);
  if (!download_url) throw new Error(`Job ${jobId} has no zip.`);
  const link = document.createElement("a");
  link.href = download_url;
  link.download = `${jobId}-outputs.zip`;
  link.click();
}

/**
 * Shows a toast on failure and for jobs without a zip. `isFetchingLink` is true until the browser starts the download.
 */
export function useDownloadZip(): { download: (jobId: string) => void; isFetchingLink: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: downloadZip,
    onError: () =>
      showToast({
        title: "Error",
        description: "Couldn't download the files. Try again.",
        variant: "destructive",
      }),
  });
  return { download: mutate, isFetchingLink: isPending };
}

type ManifestFormat = "csv" | "json";

/** Fetches a new link because the one on screen may have expired. */
async function downloadManifest({ jobId, format }: { jobId: string; format: ManifestFormat }): Promise<void> {
  const { manifest_url: url } = await readJobColumns(jobId, ["manifest_url"]);
  if (!url) throw new Error(`Job ${jobId} has no manifest.`);
  const link = document.createElement("a");
  link.href = `${url}&format=${format}`;
  link.download = `${jobId}-manifest.${format}`;
  link.click();
}

/** Shows a toast on failure and for jobs without a manifest. */
export function useDownloadManifest(): (jobId: string, format: ManifestFormat) => void {
  const { mutate } = useMutation({
    mutationFn: downloadManifest,
    onError: () =>
      showToast({
        title: "Error",
        description: "Couldn't download the manifest. Try again.",
        variant: "destructive",
      }),
  });
  return (jobId, format) => mutate({ jobId, format });
}
