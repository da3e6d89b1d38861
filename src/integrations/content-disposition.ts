const EXTENDED = /(?:^|[;\s])filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i;
const QUOTED = /(?:^|[;\s])filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;
const BARE = /(?:^|[;\s])filename\s*=\s*([^";\s][^;]*)/i;

/** RFC 6266: `filename*` wins. The name may contain slashes. */
export function fileNameOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const [, charset, encoded] = EXTENDED.exec(header) ?? [];
  if (charset !== undefined && encoded !== undefined) {
    const name = decodeExtended(charset, encoded);
    if (name) return name;
  }
  const plain = QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, "$1") ?? BARE.exec(header)?.[1]?.trim();
  return plain ? decodeRaw(plain) : null;
}

function decodeExtended(charset: string, encoded: string): string | null {
  try {
    const bytes = Buffer.from(
      encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      "latin1",
    );
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Node decodes header bytes as latin1, but many servers send UTF-8. */
function decodeRaw(text: string): string {
  if (/[\u{100}-\u{10ffff}]/u.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
