import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";

const SAMPLE_RATE = 48_000;
/** A syllable every quarter of a second, in sentences of 2.5 s with pauses of 1 s; the pitch varies like a voice's. */
const SYLLABLES = "pow(sin(PI*mod(t\\,0.25)/0.25)\\,0.5)*lt(mod(t\\,3.5)\\,2.5)";
const VOICE = `${SYLLABLES}*(0.5*sin(2*PI*160*t+3*sin(2*PI*2.3*t))+0.3*sin(2*PI*620*t)+0.15*sin(2*PI*1900*t)+0.05*(random(0)-0.5))`;
const KICK = "exp(-18*mod(t\\,0.5))*sin(2*PI*55*t)";
const HAT = "exp(-60*mod(t+0.25\\,0.25))*(random(1)-0.5)";
const PLUCKS = "exp(-6*mod(t\\,0.75))*(sin(2*PI*330*t)+0.5*sin(2*PI*990*t))";
const CHORD = "(sin(2*PI*220*t)+sin(2*PI*277*t)+sin(2*PI*330*t))/3*(0.7+0.3*sin(2*PI*0.4*t))";

/** Lavfi graphs of stereo sounds, from quiet to distorted and from steady to nothing but peaks. */
export const SPOKEN = {
  speech: wave(`0.5*${VOICE}`),
  "quiet speech": wave(`0.02*${VOICE}`),
  "clipped speech": `${wave(`3*${VOICE}`)},asoftclip=type=hard`,
  "speech in the street": `${wave(`0.4*${VOICE}+0.1*(random(2)-0.5)`)},lowpass=f=6000`,
  "claps in a room": wave("(0.9*exp(-80*mod(t\\,1.1))+0.06*exp(-7*mod(t\\,1.1))+0.002)*(random(3)-0.5)*2"),
  crowd: `anoisesrc=color=pink:amplitude=0.3:seed=5:r=${SAMPLE_RATE},tremolo=f=0.8:d=0.6`,
  waves: `anoisesrc=color=brown:amplitude=0.8:seed=9:r=${SAMPLE_RATE},tremolo=f=0.2:d=0.9`,
  beeps: wave("0.25*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.5)"),
} as const;

export const MUSIC = {
  "drum loop": wave(`0.8*${KICK}+0.5*${HAT}`),
  "loud master": `${wave(`2*(${KICK}+0.6*${CHORD}+0.7*${HAT})`)},asoftclip=type=tanh`,
  "clipped master": `${wave(`6*(0.5*${KICK}+0.5*${CHORD})`)},asoftclip=type=hard`,
  pad: wave(`0.3*${CHORD}`),
  "quiet pad": wave(`0.01*${CHORD}`),
  plucks: wave(`0.6*${PLUCKS}`),
  "sparse plucks": wave("0.8*exp(-9*mod(t\\,3))*sin(2*PI*440*t)"),
  bass: wave("0.7*sin(2*PI*(48+12*floor(mod(t\\,2)))*t)"),
  noise: `anoisesrc=color=pink:amplitude=0.5:seed=2:r=${SAMPLE_RATE}`,
  band: wave(`0.35*${KICK}+0.25*${HAT}+0.3*${PLUCKS}+0.2*${CHORD}`),
} as const;

/** The extension determines the codec. */
export async function drawSound(path: string, graph: string, seconds: number): Promise<void> {
  await runTestFfmpeg(["-f", "lavfi", "-i", graph, "-t", String(seconds), "-ac", "2", path]);
}

export async function drawSpeaker(path: string, graph: string, seconds: number): Promise<void> {
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", "color=c=gray:s=90x160:r=10", "-f", "lavfi", "-i", graph, "-t", String(seconds)],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "2", path],
  ]);
}

function wave(expression: string): string {
  return `aevalsrc=exprs=${expression}:s=${SAMPLE_RATE}`;
}
