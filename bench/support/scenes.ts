/** Eight kinds of clip that operators post, identical on every machine. */
import { type Canvas, createCanvas, GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";
import { execa } from "execa";
import { FONT } from "./clips.ts";
import { testTools } from "#tests/support/media/media-tools.ts";

export const SCENE_SIZE = { width: 720, height: 1280 };
const SCENE_RATE = 30;
const { width: W, height: H } = SCENE_SIZE;
const LETTERS = "Bench";
GlobalFonts.registerFromPath(FONT, LETTERS);

type Scene = {
  /** `t` is in seconds. */
  draw: (context: SKRSContext2D, t: number) => void;
  /** For ffmpeg's noise filter; 0 for drawn pictures. */
  grain: number;
};

export const SCENES = {
  talking: { draw: drawTalking, grain: 4 },
  signing: { draw: drawSigning, grain: 3 },
  street: { draw: drawStreet, grain: 3 },
  motion: { draw: drawMotion, grain: 3 },
  dark: { draw: drawDark, grain: 3 },
  gradient: { draw: drawSunset, grain: 1 },
  text: { draw: drawPage, grain: 0 },
  screen: { draw: drawScreen, grain: 0 },
} satisfies Record<string, Scene>;
export type SceneName = keyof typeof SCENES;

/** Lossless, tagged like Clipmill's pictures. */
export async function drawScene(name: SceneName, seconds: number, path: string): Promise<void> {
  const { draw, grain }: Scene = SCENES[name];
  const { ffmpeg } = await testTools();
  const filters = [
    "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
    ...(grain > 0 ? [`noise=alls=${grain}:allf=t+u:all_seed=5`] : []),
    "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709",
  ];
  const raw = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", `${W}x${H}`, "-r", String(SCENE_RATE), "-i", "-"];
  const frames = function* () {
    const canvas = createCanvas(W, H);
    const context = canvas.getContext("2d");
    for (let n = 0; n < seconds * SCENE_RATE; n++) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      draw(context, n / SCENE_RATE);
      yield Uint8Array.from(context.getImageData(0, 0, W, H).data);
    }
  };
  await execa(ffmpeg, ["-v", "error", "-y", ...raw, "-vf", filters.join(","), "-c:v", "ffv1", path], {
    stdin: frames(),
  });
}

function drawTalking(context: SKRSContext2D, t: number): void {
  const shake = wander(t, 1.1);
  context.drawImage(once("shelf", W + 40, H + 40, paintShelf), -20 + shake.x, -20 + shake.y);
  const nod = wander(t, 0.7);
  const [x, y] = [W / 2 + 14 * nod.x, 560 + 9 * nod.y];
  fillEllipse(context, W / 2 + 5 * nod.x, 1_180, 330, 330, "#27496b");
  fillEllipse(context, x, y + 260, 100, 150, "#b98466");
  fillEllipse(context, x, y - 60, 245, 300, "#2b1c16");
  context.drawImage(once("face", 420, 560, paintFace), x - 210, y - 280);
  const blink = t % 2.3 < 0.13 ? 3 : 17;
  for (const side of [-1, 1]) {
    fillEllipse(context, x + side * 82, y - 40, 34, blink, "#f2ece6");
    if (blink > 3) fillEllipse(context, x + side * 82 + 5 * nod.x, y - 40, 15, 15, "#3a2a20");
    fillEllipse(context, x + side * 82, y - 92 - 3 * nod.y, 46, 7, "#2b1c16");
  }
  const open = 6 + 26 * Math.abs(Math.sin(t * 9.1) * Math.sin(t * 3.3));
  fillEllipse(context, x, y + 135, 66, open + 12, "#a8544c");
  fillEllipse(context, x, y + 135, 54, open, "#421818");
}

/** A person with fast hands, in front of a wall. */
function drawSigning(context: SKRSContext2D, t: number): void {
  context.drawImage(once("wall", W, H, paintWall), 0, 0);
  context.drawImage(once("trunk", 460, 700, paintShirt), W / 2 - 230, 640);
  context.drawImage(once("face", 420, 560, paintFace), W / 2 - 120 + 4 * wander(t, 1).x, 330, 240, 320);
  for (const side of [-1, 1]) {
    const swing = t * 7.3 + side;
    const hand = { x: W / 2 + side * (150 + 110 * Math.sin(swing)), y: 830 + 190 * Math.cos(swing * 1.31) };
    stroke(context, [W / 2 + side * 205, 770], [W / 2 + side * 300, 1_050], 92, "#2e5d4a");
    stroke(context, [W / 2 + side * 300, 1_050], [hand.x, hand.y], 66, "#c58f6f");
    for (let finger = 0; finger < 5; finger++) {
      const angle = swing * 1.7 + side * (finger - 2) * 0.38;
      const tip = [hand.x + 88 * Math.sin(angle), hand.y - 88 * Math.cos(angle)] as const;
      stroke(context, [hand.x, hand.y], tip, 24, finger % 2 ? "#cb9777" : "#bd8665");
    }
    fillEllipse(context, hand.x, hand.y, 46, 50, "#c79070");
  }
}

function drawStreet(context: SKRSContext2D, t: number): void {
  const shake = wander(t, 1.7);
  const walk = 38 * t;
  context.drawImage(once("houses", W + 400, H + 60, paintHouses), -100 - walk + 6 * shake.x, -30 + 7 * shake.y);
  for (const [i, color] of ["#a33129", "#d6d8dc", "#2a4f8f"].entries()) {
    const x = ((t * (230 + 70 * i) + 400 * i) % 1_500) - 380;
    context.fillStyle = color;
    context.beginPath();
    context.roundRect(x, 980 + 40 * i + 5 * shake.y, 330, 92, 34);
    context.roundRect(x + 70, 925 + 40 * i + 5 * shake.y, 180, 80, 30);
    context.fill();
    for (const wheel of [70, 255]) fillEllipse(context, x + wheel, 1_075 + 40 * i + 5 * shake.y, 36, 36, "#16171a");
  }
  context.drawImage(once("leaves", W + 500, 520, paintLeaves), -120 - 2.2 * walk + 9 * shake.x, -60 + 10 * shake.y);
}

/** A ride: everything grows and turns quickly. */
function drawMotion(context: SKRSContext2D, t: number): void {
  const texture = once("leaves-dense", 1_600, 1_600, paintGround);
  for (let layer = 0; layer < 4; layer++) {
    const depth = (t * 0.8 + layer / 4) % 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.translate(W / 2, H / 2);
    context.rotate(0.5 * t + layer);
    context.scale(0.6 + 2.6 * depth, 0.6 + 2.6 * depth);
    context.globalAlpha = layer === 0 ? 1 : Math.sin(Math.PI * depth);
    context.drawImage(texture, -800 + 90 * Math.sin(3 * t), -800);
  }
  context.globalAlpha = 1;
}

function drawDark(context: SKRSContext2D, t: number): void {
  fillDown(context, [
    [0, "#05060b"],
    [0.6, "#131019"],
    [1, "#090807"],
  ]);
  const shake = wander(t, 1.2);
  context.drawImage(once("roofs", W + 80, H, paintRoofs), -40 + 6 * shake.x, 6 * shake.y);
  for (let i = 0; i < 7; i++) {
    glow(context, 90 * i + 40 + 8 * t + 5 * shake.x, 700 + 60 * Math.sin(i * 2.1), 150, "190 140 80", 0.22);
  }
  fillEllipse(context, 330 + 25 * Math.sin(t), 940, 110, 300, "#16131a");
}

/** A sky after sunset: wide, smooth gradients. */
function drawSunset(context: SKRSContext2D, t: number): void {
  fillDown(context, [
    [0, "#1b2a4e"],
    [0.45 + 0.01 * t, "#7c5a7d"],
    [0.75 + 0.01 * t, "#e09468"],
    [1, "#46313f"],
  ]);
  glow(context, 250 + 12 * t, 900 + 6 * t, 520, "255 214 160", 0.5);
}

function drawPage(context: SKRSContext2D): void {
  context.drawImage(once("page", W, H, paintPage), 0, 0);
}

/** A page that is scrolled now and then, under a mouse pointer. */
function drawScreen(context: SKRSContext2D, t: number): void {
  const pages = Math.floor(t / 1.5);
  const within = Math.min(1, Math.max(0, (t - pages * 1.5 - 0.7) / 0.5));
  const scrolled = 330 * (pages + within * within * (3 - 2 * within));
  context.drawImage(once("feed", W, 3_200, paintFeed), 0, 110 - scrolled);
  context.fillStyle = "#1f6feb";
  context.fillRect(0, 0, W, 110);
  writeLines(context, ["Inbox  (24)"], { x: 40, y: 72, size: 40, color: "#ffffff", leading: 50 });
  const [x, y] = [420 + 180 * Math.sin(1.9 * t), 640 + 220 * Math.sin(1.3 * t)];
  context.fillStyle = "#111111";
  context.beginPath();
  for (const [dx, dy] of [
    [0, 0],
    [0, 34],
    [9, 26],
    [17, 40],
    [23, 37],
    [15, 24],
    [26, 24],
  ] as const)
    context.lineTo(x + dx, y + dy);
  context.fill();
}

function paintFace(context: SKRSContext2D): void {
  const light = context.createRadialGradient(160, 180, 40, 210, 280, 320);
  light.addColorStop(0, "#efc3a2");
  light.addColorStop(0.6, "#d39d7d");
  light.addColorStop(1, "#8c5b45");
  context.fillStyle = light;
  context.beginPath();
  context.ellipse(210, 280, 205, 272, 0, 0, 2 * Math.PI);
  context.fill();
  context.globalCompositeOperation = "source-atop";
  // pores and freckles
  speckle(context, { width: 420, height: 560, count: 9_000, radius: 2.2, colors: ["#fff2e2", "#7a4630"], alpha: 0.07 });
  glow(context, 205, 330, 60, "255 226 205", 0.35);
}

function paintShelf(context: SKRSContext2D): void {
  context.filter = "blur(7px)";
  context.fillStyle = "#6b5a4b";
  context.fillRect(0, 0, 800, 1_400);
  const random = randomFrom(4);
  for (let row = 0; row < 6; row++) {
    for (let x = 0; x < 760;) {
      const wide = 18 + 40 * random();
      context.fillStyle = `hsl(${360 * random()} 35% ${22 + 40 * random()}%)`;
      context.fillRect(x, row * 230 + 60 * random(), wide, 190);
      x += wide + 3;
    }
  }
}

function paintWall(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#b9b4aa"],
    [1, "#8d877c"],
  ]);
  speckle(context, { width: W, height: H, count: 30_000, radius: 3, colors: ["#ffffff", "#4b463f"], alpha: 0.05 });
}

function paintShirt(context: SKRSContext2D): void {
  context.fillStyle = "#356b56";
  context.beginPath();
  context.roundRect(0, 0, 460, 700, 90);
  context.fill();
  context.globalCompositeOperation = "source-atop";
  for (let x = 0; x < 460; x += 14) {
    context.fillStyle = `rgb(20 40 30 / ${0.1 + 0.1 * Math.sin(x)})`;
    context.fillRect(x, 0, 5, 700);
  }
}

function paintHouses(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#9db8d6"],
    [0.5, "#dfe6ec"],
    [0.72, "#8a8a88"],
    [1, "#54555a"],
  ]);
  const random = randomFrom(11);
  for (let x = -20; x < 1_120; x += 190) {
    const top = 120 + 260 * random();
    context.fillStyle = `hsl(${20 + 30 * random()} ${15 + 25 * random()}% ${40 + 25 * random()}%)`;
    context.fillRect(x, top, 186, 960 - top);
    for (let y = top + 30; y < 900; y += 74) {
      for (let window = 0; window < 4; window++) {
        context.fillStyle = random() < 0.3 ? "#dfe9f2" : "#2b333d";
        context.fillRect(x + 14 + window * 42, y, 28, 46);
        context.fillStyle = "#00000055";
        context.fillRect(x + 14 + window * 42, y + 22, 28, 3);
      }
    }
    // bricks
    context.fillStyle = "#00000018";
    for (let y = top; y < 960; y += 9) context.fillRect(x, y, 186, 2);
  }
  speckle(context, {
    width: W + 400,
    height: H,
    count: 40_000,
    radius: 1.6,
    colors: ["#ffffff", "#000000"],
    alpha: 0.12,
  });
}

function paintLeaves(context: SKRSContext2D): void {
  const colors = ["#3d5d2a", "#5b7f38", "#2c4420", "#86a34f"];
  speckle(context, { width: W + 500, height: 420, count: 6_000, radius: 9, colors, alpha: 0.8 });
}

function paintGround(context: SKRSContext2D): void {
  context.fillStyle = "#5a5648";
  context.fillRect(0, 0, 1_600, 1_600);
  const colors = ["#3d5d2a", "#8b7c5c", "#2c3038", "#b9a273", "#6f8fa8"];
  speckle(context, { width: 1_600, height: 1_600, count: 9_000, radius: 14, colors, alpha: 0.7 });
}

function paintRoofs(context: SKRSContext2D): void {
  const random = randomFrom(6);
  for (let x = -30; x < 800; x += 130) {
    const top = 420 + 240 * random();
    context.fillStyle = `rgb(${8 + 10 * random()} ${8 + 8 * random()} ${12 + 10 * random()})`;
    context.fillRect(x, top, 126, H - top);
    for (let y = top + 30; y < H; y += 70) {
      context.fillStyle = random() < 0.25 ? "#3b2f1d" : "#0d0c10";
      for (const dx of [18, 72]) context.fillRect(x + dx, y, 30, 40);
    }
  }
}

function paintPage(context: SKRSContext2D): void {
  context.fillStyle = "#f7f4ec";
  context.fillRect(0, 0, W, H);
  writeLines(context, ["Five things to know"], { x: 50, y: 120, size: 56, color: "#1b1b1f", leading: 60 });
  writeLines(context, words(26), { x: 50, y: 210, size: 32, color: "#33333a", leading: 42 });
}

function paintFeed(context: SKRSContext2D): void {
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, W, 3_200);
  const lines = words(48);
  for (let row = 0; row < 22; row++) {
    const y = row * 150;
    context.fillStyle = row % 2 ? "#f3f5f8" : "#ffffff";
    context.fillRect(0, y, W, 150);
    fillEllipse(context, 70, y + 74, 38, 38, `hsl(${row * 47} 60% 55%)`);
    writeLines(context, [lines[row * 2]!], { x: 130, y: y + 58, size: 30, color: "#101418", leading: 40 });
    writeLines(context, [lines[row * 2 + 1]!], { x: 130, y: y + 104, size: 24, color: "#5b6570", leading: 40 });
  }
}

function words(lines: number): string[] {
  const random = randomFrom(9);
  const word = () =>
    Array.from({ length: 2 + Math.floor(7 * random()) }, () => "etaoinshrdlu"[Math.floor(12 * random())]).join("");
  return Array.from({ length: lines }, () => Array.from({ length: 6 }, word).join(" "));
}

function writeLines(
  context: SKRSContext2D,
  lines: readonly string[],
  look: { x: number; y: number; size: number; color: string; leading: number },
): void {
  context.font = `${look.size}px ${LETTERS}`;
  context.fillStyle = look.color;
  for (const [i, line] of lines.entries()) context.fillText(line, look.x, look.y + i * look.leading);
}

function speckle(
  context: SKRSContext2D,
  look: { width: number; height: number; count: number; radius: number; colors: readonly string[]; alpha: number },
): void {
  const random = randomFrom(2);
  context.globalAlpha = look.alpha;
  for (let i = 0; i < look.count; i++) {
    const radius = look.radius * (0.4 + random());
    fillEllipse(
      context,
      look.width * random(),
      look.height * random(),
      radius,
      radius * (0.5 + 0.5 * random()),
      look.colors[i % look.colors.length]!,
    );
  }
  context.globalAlpha = 1;
}

function fillEllipse(context: SKRSContext2D, x: number, y: number, wide: number, high: number, color: string): void {
  context.fillStyle = color;
  context.beginPath();
  context.ellipse(x, y, wide, high, 0, 0, 2 * Math.PI);
  context.fill();
}

function stroke(
  context: SKRSContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
  thick: number,
  color: string,
): void {
  context.lineCap = "round";
  context.lineWidth = thick;
  context.strokeStyle = color;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

/** Within about 1.5 in each direction. */
function wander(t: number, speed: number): { x: number; y: number } {
  return {
    x: Math.sin(2.1 * speed * t) + 0.5 * Math.sin(5.3 * speed * t),
    y: Math.cos(1.7 * speed * t) + 0.5 * Math.sin(4.1 * speed * t),
  };
}

const painted = new Map<string, Canvas>();

function once(name: string, width: number, height: number, paint: (context: SKRSContext2D) => void): Canvas {
  const known = painted.get(name);
  if (known) return known;
  const canvas = createCanvas(width, height);
  paint(canvas.getContext("2d"));
  painted.set(name, canvas);
  return canvas;
}

/** Generates numbers from 0 to 1, the same on every machine (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Independent of the scale that the layer is painted at. */
function sizeOf(context: SKRSContext2D): { width: number; height: number } {
  const { a: scale } = context.getTransform();
  return { width: context.canvas.width / scale, height: context.canvas.height / scale };
}

/** Positions are 0 to 1. */
function fillDown(context: SKRSContext2D, stops: readonly (readonly [number, string])[]): void {
  const { width, height } = sizeOf(context);
  const gradient = context.createLinearGradient(0, 0, 0, height);
  for (const [place, color] of stops) gradient.addColorStop(place, color);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}

function glow(context: SKRSContext2D, x: number, y: number, radius: number, rgb: string, strength: number): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgb(${rgb} / ${strength})`);
  gradient.addColorStop(0.35, `rgb(${rgb} / ${strength * 0.4})`);
  gradient.addColorStop(1, `rgb(${rgb} / 0)`);
  context.fillStyle = gradient;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}
