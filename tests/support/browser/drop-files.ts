import { readFile } from "node:fs/promises";
import path from "node:path";
import type { JSHandle, Locator, Page } from "@playwright/test";

const TYPES: Readonly<Record<string, string>> = { ".csv": "text/csv", ".mp3": "audio/mpeg", ".png": "image/png" };

export async function dropFiles(target: Locator, files: readonly string[]): Promise<void> {
  await target.dispatchEvent("drop", { dataTransfer: await transferOf(target.page(), files) });
}

/** Returns what the browser has while these files are dragged. */
export async function transferOf(page: Page, files: readonly string[]): Promise<JSHandle<DataTransfer>> {
  const dragged = await Promise.all(
    files.map(async (file) => ({
      name: path.basename(file),
      type: TYPES[path.extname(file)] ?? "video/mp4",
      content: (await readFile(file)).toString("base64"),
    })),
  );
  return await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, type, content } of given) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, dragged);
}
