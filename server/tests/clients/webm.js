// Lengthens a recording by repeating its clusters with later timestamps. Supports only what a browser's recorder
// writes (RFC 9559).

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;

/** Master elements, whose children are read. */
const ENTERED = [SEGMENT, CLUSTER, BLOCK_GROUP];

/** Milliseconds between the last frame of a round and the first of the next. */
const GAP = 33;

/** A WebM file of at least `bytes` bytes, in pieces. */
export function* lengthened(recording, bytes) {
  const { clusters, lastFrame } = read(recording);
  const head = recording.subarray(0, clusters[0].at);
  let written = head.length;
  yield head;
  for (let shift = 0; written < bytes; shift += lastFrame + GAP) {
    for (const { time, blocks, end } of clusters) {
      const start = startOfCluster(time + shift);
      written += start.length + end - blocks;
      yield start;
      yield recording.subarray(blocks, end);
    }
  }
}

/** Offset, timestamp and blocks of each cluster, and the time of the last frame. */
function read(recording) {
  const clusters = [];
  let lastFrame = 0;
  let at = 0;
  while (at < recording.length) {
    const { id, content, end } = elementAt(recording, at);
    const cluster = clusters.at(-1);
    if (id === CLUSTER) {
      clusters.push({ at });
    } else if (id === TIMESTAMP) {
      cluster.time = recording.readUIntBE(content, end - content);
      cluster.blocks = end;
    } else if (id === SIMPLE_BLOCK || id === BLOCK) {
      // Behind the track number, which is one byte.
      lastFrame = Math.max(lastFrame, cluster.time + recording.readInt16BE(content + 1));
    }
    const entered = ENTERED.includes(id);
    if (end === undefined && !entered) {
      throw new Error(`the element at ${at} has no size`);
    }
    at = entered ? content : end;
    if (cluster !== undefined && !entered) {
      cluster.end = at;
    }
  }
  if (lastFrame === 0) {
    throw new Error('a recording has more than one frame');
  }
  return { clusters, lastFrame };
}

/** The element at `at`. One of unknown size has no `end`. */
function elementAt(recording, at) {
  const size = at + numberLength(recording[at]);
  const content = size + numberLength(recording[size]);
  const allOnes = 2n ** BigInt(7 * (content - size)) - 1n;
  const length = BigInt(`0x${recording.toString('hex', size, content)}`) & allOnes;
  return {
    id: recording.readUIntBE(at, size - at),
    content,
    end: length === allOnes ? undefined : content + Number(length),
  };
}

/** Length of a variable-size integer with this first byte: RFC 8794, section 4. */
function numberLength(first) {
  return Math.clz32(first) - 23;
}

function startOfCluster(time) {
  const start = Buffer.alloc(22);
  start.writeUInt32BE(CLUSTER, 0);
  // Of unknown size, like the original.
  start.writeBigUInt64BE(0x01ffffffffffffffn, 4);
  start.writeUInt8(TIMESTAMP, 12);
  start.writeUInt8(0x88, 13);
  start.writeBigUInt64BE(BigInt(time), 14);
  return start;
}
