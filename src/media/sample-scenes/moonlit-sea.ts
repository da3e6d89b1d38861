import type { SKRSContext2D } from "@napi-rs/canvas";
import { fillDown, glow, type Layer, randomFrom, type Scene, vignette } from "./scene.ts";
import { ridgeLine } from "./terrain.ts";

const WIDTH = 720;
const HEIGHT = 1280;
const HORIZON = 600;
const MOON_X = 400;
const GLINT_GROUPS = 6;

export const moonlitSea: Scene = {
  width: WIDTH,
  height: HEIGHT,
  framesPerSecond: 24,
  layers: [
    { width: WIDTH, height: HEIGHT, paint: paintSky },
    { width: 760, height: 760, x: String(MOON_X - 380), y: "-70", paint: paintMoon },
    clouds(4, 330, "-60-8*t"),
    clouds(11, 480, "-30-13*t"),
    { width: WIDTH, height: HEIGHT - HORIZON, y: String(HORIZON), paint: paintWater },
    ...[0, 1, 2, 3, 4].map(waves),
    ...Array.from({ length: GLINT_GROUPS }, (_, group) => glints(group)),
    { width: WIDTH, height: 300, y: String(HEIGHT - 300), paint: paintRocks },
    vignette(WIDTH, HEIGHT, 0.5),
  ],
};

function paintSky(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#070d1e"],
    [0.25, "#12213e"],
    [0.42, "#294a68"],
    [0.47, "#47708a"],
    [1, "#16324a"],
  ]);
  const random = randomFrom(2);
  for (let i = 0; i < 110; i += 1) {
    const size = 0.5 + 1.1 * random() ** 3;
    context.fillStyle = `rgb(226 236 255 / ${0.15 + 0.65 * random()})`;
    context.beginPath();
    context.arc(random() * WIDTH, random() ** 1.4 * 480, size, 0, Math.PI * 2);
    context.fill();
  }
}

function paintMoon(context: SKRSContext2D): void {
  glow(context, 380, 380, 380, "176 206 232", 0.55);
  glow(context, 380, 380, 110, "226 238 250", 0.8);
  context.fillStyle = "#f3f6fa";
  context.beginPath();
  context.arc(380, 380, 50, 0, Math.PI * 2);
  context.fill();
  context.filter = "blur(4px)";
  for (const [x, y, radius] of [
    [364, 366, 13],
    [394, 388, 17],
    [372, 400, 9],
  ] as const) {
    context.fillStyle = "rgb(176 190 206 / .5)";
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fill();
  }
}

function clouds(seed: number, middle: number, x: string): Layer {
  return {
    width: WIDTH + 160,
    height: 260,
    blur: 12,
    x,
    y: String(middle - 130),
    paint(context) {
      const random = randomFrom(seed);
      for (let i = 0; i < 34; i += 1) {
        const isLit = random() > 0.45;
        context.fillStyle = isLit ? `rgb(170 196 218 / ${0.12 + 0.2 * random()})` : "rgb(10 18 36 / .22)";
        context.beginPath();
        const tall = 5 + 15 * random();
        context.ellipse(random() * (WIDTH + 160), 50 + random() * 160, 50 + 150 * random(), tall, 0, 0, 7);
        context.fill();
      }
    },
  };
}

function paintWater(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#48708a"],
    [0.05, "#2c5069"],
    [0.3, "#153349"],
    [1, "#06121f"],
  ]);
  context.filter = "blur(40px)";
  context.fillStyle = "rgb(190 216 236 / .2)";
  context.beginPath();
  context.moveTo(MOON_X - 26, 0);
  context.lineTo(MOON_X + 26, 0);
  context.lineTo(MOON_X + 190, HEIGHT - HORIZON);
  context.lineTo(MOON_X - 190, HEIGHT - HORIZON);
  context.fill();
}

function waves(band: number): Layer {
  const depth = (band + 0.4) / 5;
  const near = depth ** 1.5;
  const height = 60 + 240 * near;
  const sway = 5 + 16 * near;
  return {
    width: WIDTH + 120,
    height,
    x: `-60+${sway.toFixed(1)}*sin(t*${(1.5 - 0.14 * band).toFixed(2)}+${band * 1.9})-${6 + 3 * band}*t/2`,
    y: `${(HORIZON + 4 + 500 * near).toFixed(0)}+${(2 + 9 * near).toFixed(1)}*sin(t*${(1.9 - 0.2 * band).toFixed(2)}+${band * 2.3})`,
    paint(context) {
      const random = randomFrom(60 + band);
      const crests = 130 - 18 * band;
      for (let i = 0; i < crests; i += 1) {
        const y = height * (0.04 + 0.92 * random());
        const x = random() * (WIDTH + 120);
        const long = (16 + 60 * random()) * (0.35 + 1.5 * near);
        const thick = (1 + 3 * random()) * (0.5 + 2.4 * near);
        const isLit = random() > 0.5;
        const moonlight = Math.exp(-(((x - 60 - MOON_X) / (120 + 160 * near)) ** 2));
        context.fillStyle = isLit
          ? `rgb(150 190 214 / ${0.07 + 0.25 * moonlight})`
          : `rgb(3 10 20 / ${0.16 + 0.2 * random()})`;
        crest(context, x, y, long, thick);
      }
    },
  };
}

function crest(context: SKRSContext2D, x: number, y: number, long: number, thick: number): void {
  context.beginPath();
  context.moveTo(x - long, y);
  context.quadraticCurveTo(x, y - thick * 1.7, x + long, y);
  context.quadraticCurveTo(x, y + thick * 0.4, x - long, y);
  context.fill();
}

function glints(group: number): Layer {
  const height = HEIGHT - HORIZON;
  return {
    width: WIDTH,
    height,
    x: `${group % 2 === 0 ? "" : "-"}4*sin(t*2+${group})`,
    y: `${HORIZON}+3*sin(t*2.4+${group * 1.3})`,
    seenWhen: `lt(mod(t*1.7+${(group / GLINT_GROUPS).toFixed(3)},1),0.46)`,
    paint(context) {
      const random = randomFrom(90 + group);
      for (let i = 0; i < 150; i += 1) {
        const depth = random() ** 1.6;
        const spread = 20 + 210 * depth;
        const x = MOON_X + (random() + random() + random() - 1.5) * spread;
        const long = (2 + 13 * random()) * (0.35 + 1.6 * depth);
        context.fillStyle = `rgb(236 244 252 / ${(0.9 - 0.5 * depth) * (0.45 + 0.55 * random())})`;
        crest(context, x, 2 + depth * (height - 30), long, 0.9 + 2.6 * depth);
      }
    },
  };
}

function paintRocks(context: SKRSContext2D): void {
  for (const [seed, left, high, color] of [
    [7, -40, 210, "#0b1725"],
    [19, -170, 150, "#04090f"],
  ] as const) {
    const line = ridgeLine(seed, 150, 90);
    context.beginPath();
    context.moveTo(-10, 310);
    for (let x = -10; x <= 430; x += 3) {
      const part = Math.max(0, 1 - (x - left) / 520);
      context.lineTo(x, 300 - high * part ** 1.5 - line(x) * part);
    }
    context.lineTo(430, 310);
    context.strokeStyle = "rgb(150 184 206 / .3)";
    context.lineWidth = 2.5;
    context.stroke();
    context.fillStyle = color;
    context.fill();
  }
}
