// Makes a recording longer: its clusters come again and again, each time later. By RFC 9559, and no more
// of it than what a browser's recorder writes.

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;

/** They are entered: what is asked for lies in them. */
const ENTERED = [SEGMENT, CLUSTER, BLOCK_GROUP];

/** From the last frame of one round to the first one of the next, in milliseconds. */
const GAP = 33;

/** A WebM file of at least `bytes` bytes, in pieces. */
export function* lengthened(recording, bytes) {
  const { clusters, lastFrame } = read(recording);
  const head = recording.subarray(0, clusters[0].at);
  let written = head.length;
  yield head;
  for (let later = 0; written < bytes; later += lastFrame + GAP) {
    for (const { time, blocks, end } of clusters) {
      const start = startOfCluster(time + later);
      written += start.length + end - blocks;
      yield start;
      yield recording.subarray(blocks, end);
    }
  }
}

/** Where each cluster and its blocks lie, and when they are; and the time of the last frame. */
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
      // Behind the number of the track, which is one byte.
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
    throw new Error('a film has more than one frame');
  }
  return { clusters, lastFrame };
}

/** The element that begins at `at`. One of unknown size has no `end`. */
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

/** How many bytes a number takes, its first one included: RFC 8794, section 4. */
function numberLength(first) {
  return Math.clz32(first) - 23;
}

function startOfCluster(time) {
  const start = Buffer.alloc(22);
  start.writeUInt32BE(CLUSTER, 0);
  // Of unknown size, as it was.
  start.writeBigUInt64BE(0x01ffffffffffffffn, 4);
  start.writeUInt8(TIMESTAMP, 12);
  start.writeUInt8(0x88, 13);
  start.writeBigUInt64BE(BigInt(time), 14);
  return start;
}
