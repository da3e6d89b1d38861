import { Download } from "lucide-react";
import { iconButtonClasses } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { tooltip } from "../../ui/tooltip.ts";
import { CopyLinkButton } from "./copy-link-button.tsx";

/** Buttons to download one file and copy its link. */
export function OutputLinks({ mediaUrl, name }: { mediaUrl: string; name: string }) {
  return (
    <>
      <a
        href={`${mediaUrl}&download=1`}
        download={name}
        aria-label={`Download ${name}`}
        className={iconButtonClasses}
        {...tooltip("Download")}
      >
        <Icon icon={Download} />
      </a>
      <CopyLinkButton path={mediaUrl} name={name} />
    </>
  );
}
