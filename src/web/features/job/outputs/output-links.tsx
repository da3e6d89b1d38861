import { Download, Check, Link } from "lucide-react";
import { iconButtonClasses, IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { useCopy } from "../../../ui/buttons/use-copy.ts";

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

/** Copies a file's full URL. Anyone with it can play the file for a day without signing in. */
function CopyLinkButton({ path, name }: { path: string; name: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied !== null ? Check : Link}
      label={copied !== null ? "Copied!" : `Copy link to ${name}`}
      onClick={() => copy(new URL(path, location.href).href)}
    />
  );
}
