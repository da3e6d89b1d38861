import { ClipmillError } from "#contract/errors.ts";
import { utf8Bytes } from "#contract/utf8-bytes.ts";

const MAX_BYTES = 255;
// oxlint-disable-next-line no-control-regex -- no file of a job has them
const REFUSED = /[/\\:*?"<>|\u0000-\u001F\u007F]|^\.|[. ]$/;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(?:\.|$)/i;

/** Throws ClipmillError "invalid" for anything but a plain file name: a server must not choose the folder. */
export function plainName(name: string): string {
  const isPlain =
    name !== "" && utf8Bytes([name]) <= MAX_BYTES && !REFUSED.test(name) && !RESERVED_ON_WINDOWS.test(name);
  if (isPlain) return name;
  throw new ClipmillError(
    "unavailable",
    `The server names a file ${JSON.stringify(name)}, which is not allowed. It was not downloaded.`,
  );
}
