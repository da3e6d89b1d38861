import { Check, Link } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { useCopy } from "../../ui/use-copy.ts";

/** Copies the whole address of a file; who has it can play the file for a day, signed in or not. */
export function CopyLinkButton({ path, name }: { path: string; name: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied !== null ? Check : Link}
      label={copied !== null ? "Copied!" : `Copy link to ${name}`}
      onClick={() => copy(new URL(path, location.href).href)}
    />
  );
}
