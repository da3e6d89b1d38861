import { Link } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import type { Job } from "#contract/jobs/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { iconButtonClasses } from "../../ui/buttons/icon-button.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { tooltip } from "../../ui/page/tooltip.ts";

/** Outputs can be viewed as a folder on the job's page. */
export function hasFolder({ status, folder_link: link }: Pick<Job, "status" | "folder_link">): boolean {
  return status === "Completed" && link !== null && link !== "";
}

export function OpenFolderLink({ jobId }: { jobId: string }) {
  return (
    <Link
      to={paths.job}
      params={{ jobId }}
      aria-label="Open output folder"
      className={iconButtonClasses}
      {...tooltip("Open output folder")}
    >
      <Icon icon={FolderOpen} />
    </Link>
  );
}
