import { Check, Link } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { useCopy } from "./use-copy.ts";

/** Copies the whole address of a file; who has it can play the file for a day, signed in or not. */
export function CopyLinkButton({ path, name }: { path: string; name: string }) {
  const { copy, isCopied } = useCopy();
  return (
    <IconButton
      icon={isCopied ? Check : Link}
      label={isCopied ? "Copied!" : `Copy link to ${name}`}
      onClick={() => copy(new URL(path, location.href).href)}
    />
  );
}
