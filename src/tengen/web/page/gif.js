export class GifWriter {
    width;
    height;
    #palette;
    #out = new Bytes();
    #before = null;
    constructor(width, height, pixels) {
        this.width = width;
        this.height = height;
        this.#palette = new Palette(pixels);
        const out = this.#out;
        out.text("GIF89a");
        out.short(width);
        out.short(height);
        out.bytes([0xf7, 0, 0, ...this.#palette.table()]);
        out.bytes([0x21, 0xff, 11]);
        out.text("NETSCAPE2.0");
        out.bytes([3, 1, 0, 0, 0]);
    }
    add(pixels, delay) {
        const out = this.#out;
        const [width, height] = [this.width, this.height];
        const indexed = this.#palette.indexed(pixels);
        const [left, top, wide, high] = this.#before ? changed(this.#before, indexed, width, height) : [0, 0, width, height];
        out.bytes([0x21, 0xf9, 4, 0x04]);
        out.short(delay);
        out.bytes([0, 0, 0x2c]);
        for (const number of [left, top, wide, high])
            out.short(number);
        out.bytes([0, 8]);
        out.blocks(compressed(cut(indexed, width, left, top, wide, high)));
        this.#before = indexed;
    }
    done() {
        this.#out.bytes([0x3b]);
        return this.#out.done();
    }
}
class Bytes {
    #data = new Uint8Array(1 << 16);
    #length = 0;
    #room(count) {
        if (this.#length + count <= this.#data.length)
            return;
        const larger = new Uint8Array(Math.max(2 * this.#data.length, this.#length + count));
        larger.set(this.#data);
        this.#data = larger;
    }
    bytes(values) {
        this.#room(values.length);
        this.#data.set(values, this.#length);
        this.#length += values.length;
    }
    short(value) {
        this.bytes([value & 255, value >> 8]);
    }
    text(value) {
        this.bytes([...value].map((letter) => letter.charCodeAt(0)));
    }
    blocks(data) {
        for (let at = 0; at < data.length; at += 255) {
            const block = data.subarray(at, at + 255);
            this.bytes([block.length]);
            this.bytes(block);
        }
        this.bytes([0]);
    }
    done() {
        return this.#data.slice(0, this.#length);
    }
}
class Palette {
    #colours;
    #nearest = new Int16Array(1 << 15).fill(-1);
    constructor(pixels) {
        const counts = new Map();
        for (let i = 0; i < pixels.length; i += 4) {
            const key = coarse(pixels[i], pixels[i + 1], pixels[i + 2]);
            counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const keys = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256);
        this.#colours = keys.map(([key]) => [fine(key >> 10), fine((key >> 5) & 31), fine(key & 31)]);
        while (this.#colours.length < 256)
            this.#colours.push([0, 0, 0]);
    }
    table() {
        return this.#colours.flat();
    }
    indexed(pixels) {
        const indices = new Uint8Array(pixels.length / 4);
        for (let i = 0; i < indices.length; i++) {
            const key = coarse(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
            if (this.#nearest[key] < 0)
                this.#nearest[key] = this.#search(key);
            indices[i] = this.#nearest[key];
        }
        return indices;
    }
    #search(key) {
        const [red, green, blue] = [fine(key >> 10), fine((key >> 5) & 31), fine(key & 31)];
        let best = 0;
        let least = Infinity;
        this.#colours.forEach(([r, g, b], i) => {
            const distance = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + (b - blue) ** 2;
            if (distance < least)
                [best, least] = [i, distance];
        });
        return best;
    }
}
function coarse(red, green, blue) {
    return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}
function fine(five) {
    return (five << 3) | (five >> 2);
}
function changed(before, after, width, height) {
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let i = 0; i < after.length; i++) {
        if (before[i] === after[i])
            continue;
        const [x, y] = [i % width, Math.floor(i / width)];
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = y;
    }
    return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}
function cut(data, width, left, top, wide, high) {
    const part = new Uint8Array(wide * high);
    for (let row = 0; row < high; row++) {
        const from = (top + row) * width + left;
        part.set(data.subarray(from, from + wide), row * wide);
    }
    return part;
}
export function compressed(data) {
    const out = new Uint8Array(data.length * 2 + 16);
    let [length, held, bits, width, next] = [0, 0, 0, 9, 258];
    let table = new Map();
    const write = (code) => {
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
        }
        else {
            if (next === 1 << width)
                width++;
            table.set(key, next++);
        }
        prefix = data[i];
    }
    write(prefix);
    write(257);
    if (bits > 0)
        out[length++] = held & 255;
    return out.subarray(0, length);
}
