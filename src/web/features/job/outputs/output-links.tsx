import { Check, Download, Link, Split } from "lucide-react";
import { iconButtonClasses, IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Icon, type LucideIcon } from "../../../ui/page/icon.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { useCopy } from "../../../ui/buttons/use-copy.ts";

/** `link`: the file's route in Cloak Manager, if any. */
export function OutputLinks({ mediaUrl, name, link }: { mediaUrl: string; name: string; link: string | null }) {
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
      <CopyButton icon={Link} label={`Copy link to ${name}`} text={new URL(mediaUrl, location.href).href} />
      {link !== null && <CopyButton icon={Split} label={`Copy the tracked link for ${name}`} text={link} />}
    </>
  );
}

/** Anyone with a file's URL can play it for a day without signing in. */
function CopyButton({ icon, label, text }: { icon: LucideIcon; label: string; text: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied !== null ? Check : icon}
      label={copied !== null ? "Copied!" : label}
      onClick={() => copy(text)}
    />
  );
}
