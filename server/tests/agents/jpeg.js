// Dimensions of a JPEG, read from its frame header: ISO/IEC 10918-1, B.2.2.

const START_OF_IMAGE = 0xffd8;

/** `{ width, height }`, or undefined if the bytes aren't a JPEG with a frame header. */
export function jpegSize(bytes) {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== START_OF_IMAGE) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (startsFrame(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF markers are 0xc0 to 0xcf without DHT, JPG and DAC. */
const startsFrame = (marker) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
