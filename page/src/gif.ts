/** A small GIF89a encoder: frames come one by one, share a palette, and of each only the rectangle that changed is written. */

export class GifWriter {
  readonly #palette: Palette;
  readonly #out = new Bytes();
  #before: Uint8Array | null = null; // the last frame, by its colours

  /** The colours are those of one frame, which has all that others have. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    pixels: Uint8ClampedArray,
  ) {
    this.#palette = new Palette(pixels);
    const out = this.#out;
    out.text("GIF89a");
    out.short(width);
    out.short(height);
    out.bytes([0xf7, 0, 0, ...this.#palette.table()]); // 256 colours
    out.bytes([0x21, 0xff, 11]);
    out.text("NETSCAPE2.0");
    out.bytes([3, 1, 0, 0, 0]); // for ever
  }

  /** RGBA, shown for so many hundredths of a second. Nothing of it is kept but its colours, until the next. */
  add(pixels: Uint8ClampedArray, delay: number): void {
    const out = this.#out;
    const [width, height] = [this.width, this.height];
    const indexed = this.#palette.indexed(pixels);
    const [left, top, wide, high] = this.#before ? changed(this.#before, indexed, width, height) : [0, 0, width, height];
    out.bytes([0x21, 0xf9, 4, 0x04]);
    out.short(delay);
    out.bytes([0, 0, 0x2c]);
    for (const number of [left, top, wide, high]) out.short(number);
    out.bytes([0, 8]);
    out.blocks(compressed(cut(indexed, width, left, top, wide, high)));
    this.#before = indexed;
  }

  done(): Uint8Array<ArrayBuffer> {
    this.#out.bytes([0x3b]);
    return this.#out.done();
  }
}

class Bytes {
  #data = new Uint8Array(1 << 16);
  #length = 0;

  #room(count: number): void {
    if (this.#length + count <= this.#data.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#data.length, this.#length + count));
    larger.set(this.#data);
    this.#data = larger;
  }

  bytes(values: ArrayLike<number>): void {
    this.#room(values.length);
    this.#data.set(values, this.#length);
    this.#length += values.length;
  }

  short(value: number): void {
    this.bytes([value & 255, value >> 8]);
  }

  text(value: string): void {
    this.bytes([...value].map((letter) => letter.charCodeAt(0)));
  }

  blocks(data: Uint8Array): void {
    for (let at = 0; at < data.length; at += 255) {
      const block = data.subarray(at, at + 255);
      this.bytes([block.length]);
      this.bytes(block);
    }
    this.bytes([0]);
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#data.slice(0, this.#length);
  }
}

/** The colours that occur most, coarsely; every other takes the nearest. */
class Palette {
  readonly #colours: [number, number, number][];
  readonly #nearest = new Int16Array(1 << 15).fill(-1);

  constructor(pixels: Uint8ClampedArray) {
    const counts = new Map<number, number>();
    for (let i = 0; i < pixels.length; i += 4) {
      const key = coarse(pixels[i], pixels[i + 1], pixels[i + 2]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const keys = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256);
    this.#colours = keys.map(([key]) => [fine(key >> 10), fine((key >> 5) & 31), fine(key & 31)]);
    while (this.#colours.length < 256) this.#colours.push([0, 0, 0]);
  }

  table(): number[] {
    return this.#colours.flat();
  }

  indexed(pixels: Uint8ClampedArray): Uint8Array {
    const indices = new Uint8Array(pixels.length / 4);
    for (let i = 0; i < indices.length; i++) {
      const key = coarse(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
      if (this.#nearest[key] < 0) this.#nearest[key] = this.#search(key);
      indices[i] = this.#nearest[key];
    }
    return indices;
  }

  #search(key: number): number {
    const [red, green, blue] = [fine(key >> 10), fine((key >> 5) & 31), fine(key & 31)];
    let best = 0;
    let least = Infinity;
    this.#colours.forEach(([r, g, b], i) => {
      const distance = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    return best;
  }
}

function coarse(red: number, green: number, blue: number): number {
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

function fine(five: number): number {
  return (five << 3) | (five >> 2);
}

/** The smallest rectangle with all that differs: left, top, width, height; at least one pixel. */
function changed(before: Uint8Array, after: Uint8Array, width: number, height: number): [number, number, number, number] {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}

function cut(data: Uint8Array, width: number, left: number, top: number, wide: number, high: number): Uint8Array {
  const part = new Uint8Array(wide * high);
  for (let row = 0; row < high; row++) {
    const from = (top + row) * width + left;
    part.set(data.subarray(from, from + wide), row * wide);
  }
  return part;
}

/** LZW as GIF has it: codes of 9 to 12 bits, the table cleared when it is full. */
export function compressed(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length * 2 + 16);
  let [length, held, bits, width, next] = [0, 0, 0, 9, 258];
  let table = new Map<number, number>();
  const write = (code: number) => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      out[length++] = held & 255;
      held >>>= 8;
    }
  };
  write(256);
  let prefix = data[0];
  for (let i = 1; i < data.length; i++) {
    const key = (prefix << 8) | data[i];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    if (next === 4096) {
      write(256);
      table = new Map();
      [width, next] = [9, 258];
    } else {
      if (next === 1 << width) width++;
      table.set(key, next++);
    }
    prefix = data[i];
  }
  write(prefix);
  write(257);
  if (bits > 0) out[length++] = held & 255;
  return out.subarray(0, length);
}
