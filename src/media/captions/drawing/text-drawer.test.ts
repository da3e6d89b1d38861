import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { longestBlockMs } from "#tests/support/faults/longest-block-ms.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { drawCaption } from "./draw-text.ts";
import type { TextToDraw } from "./draw-text-process.ts";
import { DEFAULT_LOOK } from "../layout/caption-shape.ts";
import { openTextDrawer } from "./text-drawer.ts";

const folder = await makeScratchFolder();
const never = new AbortController().signal;
const LOOK = { ...DEFAULT_LOOK, size: "small" } as const;

function caption(text: string, name = "caption.png"): TextToDraw {
  return { kind: "caption", text, look: LOOK, frame: { width: 1_080, height: 1_920 }, path: path.join(folder, name) };
}

/** The longest allowed caption of the characters that are slowest to lay out. */
const HOSTILE = {
  "direction marks around letters": "\u2067a",
  "letters of both directions": "אa",
  "accents on one letter": "\u0301",
  "families of emoji": "👨‍👩‍👧‍👦",
  "letters without a place to break": "i",
};

test.each(Object.entries(HOSTILE))("%s block the event loop for less than 50 ms", async (_, unit) => {
  await using drawer = openTextDrawer();
  const text = `a${unit.repeat(JOB_LIMITS.captionCharacters)}`.slice(0, JOB_LIMITS.captionCharacters);
  const stops: number[] = [];
  for (let run = 0; run < 3; run++) stops.push(await longestBlockMs(() => drawer.draw(caption(text), never)));
  expect(Math.min(...stops)).toBeLessThan(50);
});

test("draws the same as in this process", async () => {
  await using drawer = openTextDrawer();
  const { drawing, ...drawn } = await drawer.draw(caption("Wait for the pour 😀 ᚠ"), never);
  const own = path.join(folder, "own.png");
  const expected = await drawCaption("Wait for the pour 😀 ᚠ", LOOK, { width: 1_080, height: 1_920 }, own);
  expect({ ...drawn, drawing: { ...drawing, path: own } }).toEqual(expected);
  expect((await readFile(drawing!.path)).equals(await readFile(own))).toBe(true);
  expect(await drawer.draw(caption("\u0000"), never)).toEqual({ drawing: null, area: null, warnings: [] });
});

test("does not start a drawing that was aborted while it waited, and rejects one in progress", async () => {
  await using drawer = openTextDrawer();
  const aborting = new AbortController();
  const first = drawer.draw(caption("first", "first.png"), aborting.signal);
  const second = drawer.draw(caption("second", "second.png"), aborting.signal);
  const third = drawer.draw(caption("third", "third.png"), never);
  aborting.abort();
  await expect(first).rejects.toMatchObject({ code: "cancelled" });
  await expect(second).rejects.toMatchObject({ code: "cancelled", facts: { step: "drawing", cancelled: true } });
  await third;
  expect(existsSync(path.join(folder, "second.png"))).toBe(false);
});

test("passes an error between processes with its facts, and continues", async () => {
  await using drawer = openTextDrawer();
  const failing = drawer.draw(caption("hello", "no such folder/caption.png"), never);
  await expect(failing).rejects.toMatchObject({
    code: "render_failed",
    facts: { step: "drawing", code: "ENOENT", kind: "caption", characters: 5 },
    cause: expect.objectContaining({ message: expect.stringContaining("no such file") }),
  });
  expect((await drawer.draw(caption("hello"), never)).drawing).not.toBeNull();
});

test("starts another process after a crash", async () => {
  await using drawer = openTextDrawer(await writeEntry(`({ text }) => text === "crash" && process.exit(7)`));
  await expect(drawer.draw(caption("crash"), never)).rejects.toMatchObject({
    code: "render_failed",
    cause: "exit code 7",
  });
  expect(await drawer.draw(caption("hello"), never)).toEqual(expect.any(Number));
});

test("rejects a drawing whose process cannot be started, and continues", async () => {
  await using drawer = openTextDrawer(await writeEntry("() => {}"));
  vi.stubEnv("PATH", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { execPath } = process;
  process.execPath = path.join(folder, "missing");
  onTestFinished(() => void (process.execPath = execPath));
  await expect(drawer.draw(caption("hello"), never)).rejects.toMatchObject({ code: "render_failed" });
  process.execPath = execPath;
  vi.unstubAllEnvs();
  expect(await drawer.draw(caption("hello"), never)).toEqual(expect.any(Number));
});

test("ends its process after a while without drawings, and starts another for the next one", async () => {
  await using drawer = openTextDrawer(await writeEntry("() => {}"), 20);
  const readPid = () => drawer.draw(caption("any"), never);
  const first = await readPid();
  await expect.poll(readPid, { interval: 200 }).not.toBe(first);
});

async function writeEntry(onMessage: string): Promise<string> {
  const file = path.join(folder, `${expect.getState().currentTestName!.replaceAll(/\W+/g, "-")}.mjs`);
  await writeFile(
    file,
    `process.on("message", (request) => { (${onMessage})(request); process.send({ result: process.pid }); });`,
  );
  return file;
}
