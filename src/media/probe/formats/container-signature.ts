import { open } from "node:fs/promises";

const ANIMATION_FLAG = 0x02;

/**
 * Returns whether the file starts like a video container (MP4 and QuickTime, Matroska, AVI, FLV, ASF), even if the rest
 * is unreadable. Distinguishes a damaged video from other files. Throws what opening the file throws.
 */
export async function looksLikeVideoContainer(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(12), position: 0 });
    const head = buffer.subarray(0, bytesRead).toString("latin1");
    const box = head.slice(4, 8);
    return (
      (box === "ftyp" && !/^(avif|avis|heic|heix|mif1|msf1)$/.test(head.slice(8, 12))) ||
      ["moov", "mdat", "wide"].includes(box) ||
      ["\x1aE\xdf\xa3", "0&\xb2u"].includes(head.slice(0, 4)) ||
      head.startsWith("FLV\x01") ||
      (head.startsWith("RIFF") && head.slice(8, 12) === "AVI ")
    );
  } finally {
    await file.close();
  }
}

/** Returns whether the file starts like an animated WebP picture. Throws what opening the file throws. */
export async function isAnimatedWebp(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(21), position: 0 });
    return /^RIFF[^]{4}WEBPVP8X/.test(buffer.toString("latin1")) && (buffer[20]! & ANIMATION_FLAG) > 0;
  } finally {
    await file.close();
  }
}
