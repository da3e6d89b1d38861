import { beforeEach, expect, it } from "vitest";
import { createSpeedometer, type Speedometer } from "./speedometer.ts";

let now: number;
let speedometer: Speedometer;
beforeEach(() => {
  now = 5_000;
  speedometer = createSpeedometer(() => now);
});

function pass(seconds: number): void {
  now += seconds * 1000;
}

it("says how much is made per second of work, whatever idle time lies between and however many are at work", () => {
  expect(speedometer.read()).toBeNull();
  pass(60);
  speedometer.begin();
  pass(5);
  speedometer.begin();
  speedometer.made(20);
  pass(5);
  expect(speedometer.read()).toBe(2);
  speedometer.end();
  speedometer.made(20);
  pass(10);
  speedometer.end();
  expect(speedometer.read()).toBe(2);
  pass(60);
  expect(speedometer.read()).toBe(2);
});

it("forgets what was minutes ago", () => {
  speedometer.begin();
  pass(10);
  speedometer.made(100);
  speedometer.end();
  expect(speedometer.read()).toBe(10);
  pass(179);
  expect(speedometer.read()).toBe(10);
  pass(2);
  expect(speedometer.read()).toBeNull();
});

it("says 0 while what is at work makes nothing yet", () => {
  speedometer.begin();
  pass(3);
  expect(speedometer.read()).toBe(0);
});
