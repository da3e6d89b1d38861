import type { SKRSContext2D } from "@napi-rs/canvas";
import { fillDown, glow, type Layer, randomFrom, type Scene, vignette } from "./scene.ts";
import { fillRidge, pine, ridgeLine } from "./terrain.ts";

const WIDTH = 720;
const HEIGHT = 1280;

export const mountainDusk: Scene = {
  width: WIDTH,
  height: HEIGHT,
  framesPerSecond: 24,
  layers: [
    { width: WIDTH, height: HEIGHT, paint: paintSky },
    { width: 640, height: 640, x: "130", y: "390+5*t", paint: paintSun },
    clouds(3, 470, 0.34, "-90+7*t"),
    clouds(9, 610, 0.5, "-40-9*t"),
    range({ seed: 21, top: 590, reach: 420, high: 210, colors: ["#a5717f", "#e0a58d"], speed: 4 }),
    range({ seed: 5, top: 700, reach: 360, high: 190, colors: ["#74526f", "#c18a85"], speed: 8 }),
    mist(14, 880, "-120+10*t"),
    range({ seed: 33, top: 800, reach: 330, high: 200, colors: ["#4c3a5c", "#8d6675"], speed: 12 }),
    range({ seed: 12, top: 930, reach: 420, high: 170, colors: ["#2f2745", "#57425c"], speed: 24 }),
    mist(6, 1100, "-40-14*t"),
    forest(),
    vignette(WIDTH, HEIGHT, 0.42),
  ],
};

function paintSky(context: SKRSContext2D): void {
  fillDown(context, [
    [0, "#232a56"],
    [0.18, "#43407a"],
    [0.34, "#93588a"],
    [0.47, "#df7f72"],
    [0.56, "#f8b67e"],
    [0.66, "#fcdca8"],
    [1, "#fcdca8"],
  ]);
}

function paintSun(context: SKRSContext2D): void {
  glow(context, 320, 320, 320, "255 214 150", 0.75);
  glow(context, 320, 320, 120, "255 236 200", 0.9);
  context.fillStyle = "#fff3d6";
  context.beginPath();
  context.arc(320, 320, 44, 0, Math.PI * 2);
  context.fill();
}

function clouds(seed: number, middle: number, strength: number, x: string): Layer {
  return {
    width: WIDTH + 200,
    height: 460,
    blur: 7,
    x,
    y: String(middle - 330),
    paint(context) {
      const random = randomFrom(seed);
      for (let i = 0; i < 46; i += 1) {
        const down = random() ** 0.7;
        const long = 60 + 190 * random();
        const thick = 3 + 11 * random() * (1 - down * 0.5);
        const warm = down > 0.5 ? "255 190 150" : "232 150 160";
        context.fillStyle = `rgb(${warm} / ${strength * (0.25 + 0.6 * random())})`;
        context.beginPath();
        context.ellipse(random() * (WIDTH + 200), 40 + down * 380, long, thick, -0.05, 0, Math.PI * 2);
        context.fill();
      }
    },
  };
}

function range(look: {
  seed: number;
  top: number;
  reach: number;
  high: number;
  colors: [string, string];
  speed: number;
}): Layer {
  const height = HEIGHT - look.top;
  return {
    width: WIDTH + look.speed * 7,
    height,
    x: `-${look.speed}*t`,
    y: String(look.top),
    paint(context) {
      const line = ridgeLine(look.seed, look.reach, look.high);
      const [top, foot] = look.colors;
      fillRidge(context, (x) => look.high + 6 - line(x), {
        top,
        foot,
        footAt: look.high * 1.6,
        edge: "rgb(255 205 160 / .28)",
      });
    },
  };
}

function mist(seed: number, middle: number, x: string): Layer {
  return {
    width: WIDTH + 260,
    height: 220,
    blur: 16,
    x,
    y: String(middle - 110),
    paint(context) {
      const random = randomFrom(seed);
      for (let i = 0; i < 22; i += 1) {
        context.fillStyle = `rgb(240 190 175 / ${0.05 + 0.11 * random()})`;
        context.beginPath();
        context.ellipse(
          random() * (WIDTH + 260),
          60 + random() * 100,
          90 + 150 * random(),
          10 + 16 * random(),
          0,
          0,
          7,
        );
        context.fill();
      }
    },
  };
}

function forest(): Layer {
  return {
    width: WIDTH + 48 * 7,
    height: 330,
    x: "-48*t",
    y: String(HEIGHT - 330),
    paint(context) {
      const random = randomFrom(40);
      const line = ridgeLine(8, 500, 120);
      const lineAt = (x: number) => 250 - line(x);
      for (let i = 0; i < 90; i += 1) {
        const x = (i + random()) * ((WIDTH + 336) / 90);
        const tall = 50 + 105 * random() ** 1.6;
        pine(context, { x, y: lineAt(x) + 12, tall }, { color: i % 3 === 0 ? "#1b1830" : "#151226", random });
      }
      fillRidge(context, lineAt, { top: "#181529", foot: "#0c0a15", footAt: 330, edge: "rgb(0 0 0 / 0)" });
    },
  };
}
