/**
 * npm run caption-sheet: draws the sample captions, and one caption in many languages, next to their source text in
 * screenshots/captions.png.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { CAPTION_STYLES } from "#contract/jobs/jobs.ts";
import { fontsFor } from "#media/captions/fonts/caption-fonts.ts";
import { DEFAULT_LOOK } from "#media/captions/layout/caption-shape.ts";
import { drawCaption, type DrawnText } from "#media/captions/drawing/draw-text.ts";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { LANGUAGE_CAPTIONS, SAMPLE_CAPTIONS } from "#tests/support/media/sample-captions.ts";

const FRAME = { width: 540, height: 960 };
const FILE = path.resolve(import.meta.dirname, "../screenshots/captions.png");

type Sample = { name: string; text: string; language?: string };
const SAMPLES: readonly Sample[] = [
  ...SAMPLE_CAPTIONS,
  ...LANGUAGE_CAPTIONS.map(({ language, text }) => ({ name: `In ${language}`, text, language })),
];

const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-captions-"));
try {
  const cells: string[] = [];
  for (const [i, sample] of SAMPLES.entries()) {
    const file = path.join(folder, `${i}.png`);
    const style = CAPTION_STYLES[i % CAPTION_STYLES.length]!;
    const { language = null } = sample;
    const look = { ...DEFAULT_LOOK, style, position: "middle", highlight: language !== null, language } as const;
    cells.push(await describeCell(sample, await drawCaption(sample.text, look, FRAME, file)));
  }
  await savePicture(`<!doctype html><meta charset="utf-8"><style>${styleSheet()}</style>${cells.join("\n")}`);
  console.log(`Saved ${FILE}.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function describeCell({ name, text }: Sample, { drawing, warnings }: DrawnText): Promise<string> {
  const picture = drawing && (await readFile(drawing.path)).toString("base64");
  return `<article><h2>${name}</h2>
    <p dir="auto">${escapeText(text)}</p>
    <div>${picture ? `<img src="data:image/png;base64,${picture}" />` : ""}</div>
    ${warnings.map(({ message }) => `<p class="warning">${escapeText(message)}</p>`).join("")}</article>`;
}

/** The browser renders the source text in the same fonts, as an independent check of text shaping. */
function styleSheet(): string {
  const fonts = fontsFor(SAMPLES.map(({ text }) => text).join(""));
  const faces = fonts.map(
    ({ family, path: file }) => `@font-face { font-family: "${family}"; src: url("${pathToFileURL(file).href}"); }`,
  );
  const families = fonts.map(({ family }) => `"${family}"`).join(", ");
  return `${faces.join("\n")}
    body { margin: 16px; display: grid; grid-template-columns: repeat(5, 1fr); gap: 12px; font: 15px ${families}; }
    article { border: 1px solid #bbb; padding: 8px; display: flex; flex-direction: column; gap: 6px; }
    h2 { margin: 0; font-size: 11px; color: #666; } p { margin: 0; } .warning { color: #a40; font-size: 12px; }
    div { background: linear-gradient(90deg, #fff 50%, #777 50%); flex: 1; display: grid; place-items: center; padding: 6px; }
    img { max-width: 100%; }`;
}

async function savePicture(html: string): Promise<void> {
  const page = path.join(folder, "sheet.html");
  await writeFile(page, html);
  const browser = await chromium.launch(launchOptions(findBrowser()));
  try {
    const sheet = await browser.newPage({ viewport: { width: 1900, height: 1000 } });
    await sheet.goto(pathToFileURL(page).href);
    await sheet.evaluate(() => document.fonts.ready);
    await mkdir(path.dirname(FILE), { recursive: true });
    await sheet.screenshot({ path: FILE, fullPage: true });
  } finally {
    await browser.close();
  }
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
