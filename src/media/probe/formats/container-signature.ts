import { open } from "node:fs/promises";

const ANIMATION_FLAG = 0x02;

/**
 * Distinguishes a damaged video (MP4 and QuickTime, Matroska, AVI, FLV, ASF) from other files. Throws the system's
 * error.
 */
export async function looksLikeVideoContainer(path: string): Promise<boolean> {
  const head = await readHead(path, 12);
  const box = head.slice(4, 8);
  return (
    (box === "ftyp" && !/^(avif|avis|heic|heix|mif1|msf1)$/.test(head.slice(8, 12))) ||
    ["moov", "mdat", "wide"].includes(box) ||
    ["\x1aE\xdf\xa3", "0&\xb2u"].includes(head.slice(0, 4)) ||
    head.startsWith("FLV\x01") ||
    (head.startsWith("RIFF") && head.slice(8, 12) === "AVI ")
  );
}

export async function isAnimatedWebp(path: string): Promise<boolean> {
  const head = await readHead(path, 21);
  return /^RIFF[^]{4}WEBPVP8X/.test(head) && (head.charCodeAt(20) & ANIMATION_FLAG) > 0;
}

async function readHead(path: string, bytes: number): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: 0 });
  return buffer.subarray(0, bytesRead).toString("latin1");
}
