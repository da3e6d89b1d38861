import type { SKRSContext2D } from "@napi-rs/canvas";
import { fillDown, type Layer, randomFrom, type Scene, vignette } from "./scene.ts";
import { fillRidge, pine, ridgeLine } from "./terrain.ts";

const WIDTH = 1280;
const HEIGHT = 720;

export const snowfall: Scene = {
  width: WIDTH,
  height: HEIGHT,
  framesPerSecond: 24,
  layers: [
    { width: WIDTH, height: HEIGHT, paint: paintSky },
    wood({
      seed: 5,
      top: 350,
      count: 110,
      tall: [70, 170],
      color: "#a3b4c2",
      snow: "#c3d0da",
      ground: "#d3dee6",
      speed: 2,
      blur: 2,
    }),
    flakes({ seed: 31, count: 420, radius: [0.8, 1.8], strength: 0.55, speed: 62 }),
    wood({
      seed: 17,
      top: 430,
      count: 44,
      tall: [160, 300],
      color: "#647b8c",
      snow: "#a9bcc9",
      ground: "#dbe5ec",
      speed: 6,
      blur: 1,
    }),
    flakes({ seed: 32, count: 230, radius: [1.6, 3.2], strength: 0.8, speed: 110 }),
    wood({
      seed: 23,
      top: 540,
      count: 15,
      tall: [300, 520],
      color: "#2b3d49",
      snow: "#dfe9f0",
      ground: "#eef4f8",
      speed: 12,
      blur: 0.8,
    }),
    flakes({ seed: 33, count: 70, radius: [4, 8], strength: 0.5, speed: 210 }),
    vignette(WIDTH, HEIGHT, 0.3),
  ],
};

function paintSky(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#8fa3b4"],
    [0.5, "#bccad5"],
    [1, "#e3ebf0"],
  ]);
}

function wood(look: {
  seed: number;
  top: number;
  count: number;
  tall: [number, number];
  color: string;
  snow: string;
  ground: string;
  speed: number;
  blur: number;
}): Layer {
  const width = WIDTH + look.speed * 7;
  const height = HEIGHT - look.top + look.tall[1];
  const [least, most] = look.tall;
  return {
    width,
    height,
    blur: look.blur,
    x: `-${look.speed}*t`,
    y: String(HEIGHT - height),
    paint(context) {
      const random = randomFrom(look.seed);
      const line = ridgeLine(look.seed, 620, 110);
      const lineAt = (x: number) => most + 120 - line(x);
      const places = Array.from({ length: look.count }, (_, i) => (i + random() * 0.9) * (width / look.count));
      for (const x of places) {
        const tall = least + (most - least) * random();
        pine(context, { x, y: lineAt(x) + 16 + 20 * random(), tall }, { color: look.color, snow: look.snow, random });
      }
      fillRidge(context, (x) => lineAt(x) + 18, {
        top: look.ground,
        foot: "#f6fafc",
        footAt: height,
        edge: "rgb(255 255 255 / .5)",
      });
    },
  };
}

/** Repeats the flakes over two heights, so that the fall loops. */
function flakes(look: {
  seed: number;
  count: number;
  radius: [number, number];
  strength: number;
  speed: number;
}): Layer {
  const [least, most] = look.radius;
  const sway = most * 5;
  return {
    width: WIDTH + 120,
    height: HEIGHT * 2,
    x: `-60+${sway.toFixed(1)}*sin(t*0.9+${look.seed})`,
    y: `-${HEIGHT}+mod(${look.speed}*t,${HEIGHT})`,
    paint(context) {
      const random = randomFrom(look.seed);
      for (let i = 0; i < look.count; i += 1) {
        const [x, y] = [random() * (WIDTH + 120), random() * HEIGHT];
        const radius = least + (most - least) * random() ** 2;
        const strength = look.strength * (0.4 + 0.6 * random());
        for (const top of [0, HEIGHT]) flake(context, { x, y: y + top, radius }, strength);
      }
    },
  };
}

function flake(context: SKRSContext2D, at: { x: number; y: number; radius: number }, strength: number): void {
  const { x, y, radius } = at;
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgb(255 255 255 / ${strength})`);
  gradient.addColorStop(0.6, `rgb(255 255 255 / ${strength * 0.8})`);
  gradient.addColorStop(1, "rgb(255 255 255 / 0)");
  context.fillStyle = gradient;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}
