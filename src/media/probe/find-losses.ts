/** In seconds. */
export type Loss = { fromSeconds: number; toSeconds: number };

/** In seconds; NaN for a time that the file does not state. */
export type TimedPacket = {
  isKey: boolean;
  /** The demuxer noticed a loss in or after this packet. */
  isCorrupt: boolean;
  decoding: number;
  duration: number;
};

export type StreamLosses = {
  gaps: Loss[];
  /** Gaps with no other sign of loss: the rate may vary, or the stream may pause. */
  otherGaps: Loss[];
  damaged: Loss[];
};

/** A parser may put a few packets between a mark and its loss. */
const MARK_PACKETS = 3;
/** Joined recordings leave a shorter gap. */
const SEAM_SECONDS = 0.1;
const MOST_LOSSES = 10_000;

/** Takes packets in decoding order. Ignores everything before the first intact keyframe. */
export function createLossFinder(): { note(packet: TimedPacket): void; losses(): StreamLosses } {
  const marked: Loss[] = [];
  const unmarked: Loss[] = [];
  const damaged: Loss[] = [];
  let previous: TimedPacket | null = null;
  let mark: { packet: TimedPacket; packetsLeft: number; isAtSeam: boolean } | null = null;
  const add = (list: Loss[], fromSeconds: number, toSeconds: number): void => {
    if (list.length < MOST_LOSSES) list.push({ fromSeconds, toSeconds });
  };
  const addDamaged = ({ decoding, duration }: TimedPacket): void => add(damaged, decoding, decoding + duration);

  return {
    note(packet) {
      if (previous === null) {
        if (packet.isKey && !packet.isCorrupt) previous = packet;
        return;
      }
      const expected = previous.decoding + previous.duration;
      const missing = packet.decoding - expected;
      const hasGap = missing > previous.duration / 2;
      const isWholePackets = Math.abs(missing / previous.duration - Math.round(missing / previous.duration)) < 0.1;
      // Joined recordings start with a keyframe, at any time.
      const isSeam = packet.isKey && missing < SEAM_SECONDS && (hasGap ? !isWholePackets : !previous.isKey);
      if (mark) mark.isAtSeam ||= isSeam;
      if (hasGap && !isSeam) {
        add(mark ? marked : unmarked, expected, packet.decoding);
        mark = null;
      } else if (mark && --mark.packetsLeft === 0) {
        // A recording's last packet is marked because the next one's counter differs.
        if (!mark.isAtSeam) addDamaged(mark.packet);
        mark = null;
      }
      if (packet.isCorrupt) {
        if (mark && !mark.isAtSeam) addDamaged(mark.packet);
        mark = { packet, packetsLeft: MARK_PACKETS, isAtSeam: false };
      }
      previous = packet;
    },
    losses() {
      // A packet's counter misses one loss in sixteen; other gaps come from a varying rate.
      const isLossy = marked.length > 2 * unmarked.length;
      return { gaps: [...marked, ...(isLossy ? unmarked : [])], otherGaps: isLossy ? [] : unmarked, damaged };
    },
  };
}

/** Streams may be interleaved this far apart. */
const NEAR_SECONDS = 1;

/** The demuxer does not mark losses between sound packets, but the picture has one there as well. */
export function findSoundLosses(sound: StreamLosses, picture: StreamLosses | undefined): Loss[] {
  const isLost = ({ fromSeconds, toSeconds }: Loss): boolean =>
    picture?.gaps.some(
      (gap) => fromSeconds < gap.toSeconds + NEAR_SECONDS && toSeconds > gap.fromSeconds - NEAR_SECONDS,
    ) ?? false;
  return [...sound.gaps, ...sound.otherGaps.filter(isLost)];
}

export function lostSecondsWithin(losses: readonly Loss[], { fromSeconds, toSeconds }: Loss): number {
  return losses.reduce(
    (sum, loss) => sum + Math.max(0, Math.min(loss.toSeconds, toSeconds) - Math.max(loss.fromSeconds, fromSeconds)),
    0,
  );
}
