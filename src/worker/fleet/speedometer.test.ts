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

it("measures output per second of work, regardless of idle time and concurrency", () => {
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

it("forgets measurements from minutes ago", () => {
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

it("returns 0 while running work has produced nothing yet", () => {
  speedometer.begin();
  pass(3);
  expect(speedometer.read()).toBe(0);
});
