import type { SKRSContext2D } from "@napi-rs/canvas";
import { fillDown, glow, type Layer, randomFrom, type Scene, vignette } from "./scene.ts";

const WIDTH = 1280;
const HEIGHT = 720;
const ROAD = 505;
const COLORS = ["255 196 120", "255 158 84", "255 226 180", "150 196 255", "255 104 92", "120 226 206", "255 214 110"];

export const cityLights: Scene = {
  width: WIDTH,
  height: HEIGHT,
  framesPerSecond: 24,
  layers: [
    { width: WIDTH, height: HEIGHT, paint: paintNight },
    { width: WIDTH, height: HEIGHT, paint: paintStreet, blur: 12 },
    lights({ seed: 3, count: 150, radius: [5, 13], strength: 0.62, speed: 6 }),
    lights({ seed: 8, count: 26, radius: [7, 15], strength: 0.9, speed: 6, seenWhen: "gt(sin(t*3.1),-0.75)" }),
    lights({ seed: 15, count: 44, radius: [16, 30], strength: 0.5, speed: 12 }),
    car({ rgb: "255 92 70", radius: 17, apart: 66, road: ROAD - 6, x: "-500+260*t" }),
    car({ rgb: "255 236 204", radius: 24, apart: 92, road: ROAD + 26, x: "1500-330*t" }),
    car({ rgb: "255 92 70", radius: 22, apart: 86, road: ROAD + 14, x: "-1500+380*t" }),
    car({ rgb: "226 236 255", radius: 30, apart: 120, road: ROAD + 62, x: "2700-480*t" }),
    lights({ seed: 27, count: 12, radius: [46, 92], strength: 0.15, speed: 36 }),
    vignette(WIDTH, HEIGHT, 0.55),
  ],
};

function paintNight(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#070a16"],
    [0.45, "#15142a"],
    [0.68, "#2a1d2c"],
    [0.7, "#0d0c14"],
    [1, "#06060b"],
  ]);
}

function paintStreet(context: SKRSContext2D): void {
  const random = randomFrom(1);
  for (let i = 0; i < 16; i += 1) {
    const wide = 50 + 110 * random();
    const high = 150 + 290 * random();
    context.fillStyle = `rgb(10 11 24 / ${0.5 + 0.4 * random()})`;
    context.fillRect(random() * WIDTH - 40, ROAD - high, wide, high);
  }
  for (let i = 0; i < 34; i += 1) {
    const wide = 8 + 30 * random();
    const high = 60 + 150 * random();
    const fade = context.createLinearGradient(0, ROAD, 0, ROAD + high);
    const rgb = COLORS[i % COLORS.length];
    fade.addColorStop(0, `rgb(${rgb} / ${0.1 + 0.25 * random()})`);
    fade.addColorStop(1, `rgb(${rgb} / 0)`);
    context.fillStyle = fade;
    context.fillRect(random() * WIDTH, ROAD + 4, wide, high);
  }
}

function lights(look: {
  seed: number;
  count: number;
  radius: [number, number];
  strength: number;
  speed: number;
  seenWhen?: string;
}): Layer {
  const [least, most] = look.radius;
  const width = WIDTH + look.speed * 8;
  return {
    width,
    height: HEIGHT,
    x: `-${look.speed}*t`,
    ...(look.seenWhen && { seenWhen: look.seenWhen }),
    paint(context) {
      const random = randomFrom(look.seed);
      for (let i = 0; i < look.count; i += 1) {
        const radius = least + (most - least) * random();
        const y = ROAD - 20 - Math.abs(random() + random() - 1) * (ROAD - 40) * (0.35 + 0.65 * random());
        disc(
          context,
          { x: random() * width, y, radius, rgb: COLORS[Math.floor(random() * COLORS.length)]! },
          look.strength * (0.45 + 0.55 * random()),
        );
      }
    },
  };
}

function disc(
  context: SKRSContext2D,
  { x, y, radius, rgb }: { x: number; y: number; radius: number; rgb: string },
  strength: number,
): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgb(${rgb} / ${strength * 0.72})`);
  gradient.addColorStop(0.8, `rgb(${rgb} / ${strength * 0.82})`);
  gradient.addColorStop(0.93, `rgb(${rgb} / ${strength})`);
  gradient.addColorStop(1, `rgb(${rgb} / 0)`);
  context.fillStyle = gradient;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

function car(look: { rgb: string; radius: number; apart: number; road: number; x: string }): Layer {
  const { rgb, radius, apart } = look;
  const room = radius * 5;
  const width = apart + room * 2;
  const height = room * 2 + 190;
  return {
    width,
    height,
    x: look.x,
    y: String(look.road - room),
    paint(context) {
      for (const x of [room, room + apart]) {
        glow(context, x, room, room, rgb, 0.34);
        const fade = context.createLinearGradient(0, room + radius, 0, height);
        fade.addColorStop(0, `rgb(${rgb} / .42)`);
        fade.addColorStop(1, `rgb(${rgb} / 0)`);
        context.filter = "blur(9px)";
        context.fillStyle = fade;
        context.fillRect(x - radius * 0.6, room + radius * 1.5, radius * 1.2, height - room - radius * 1.5);
        context.filter = "none";
        disc(context, { x, y: room, radius, rgb }, 0.95);
      }
    },
  };
}
