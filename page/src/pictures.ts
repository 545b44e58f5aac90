/** Pictures of a game to take away: SVG, PNG and an animated GIF. */

import { picture, type Scene } from "./art.js";
import { download } from "./dom.js";
import { GifWriter } from "./gif.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

const PNG_WIDTH = 1200;
const GIF_WIDTH = 480;

function drawn(scene: Scene, width: number): string {
  return picture(scene, settings.value, width);
}

export function saveSvg(scene: Scene, name: string): void {
  download(`${name}.svg`, new Blob([drawn(scene, 800)], { type: "image/svg+xml" }));
}

async function paint(scene: Scene, width: number, context: CanvasRenderingContext2D): Promise<void> {
  const address = URL.createObjectURL(new Blob([drawn(scene, width)], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, width);
    image.src = address;
    await image.decode();
    context.drawImage(image, 0, 0, width, width);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function canvasOf(width: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = width;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error(t("no_canvas"));
  return context;
}

export async function savePng(scene: Scene, name: string): Promise<void> {
  const context = canvasOf(PNG_WIDTH);
  await paint(scene, PNG_WIDTH, context);
  const data = await new Promise<Blob | null>((done) => context.canvas.toBlob(done, "image/png"));
  if (data) download(`${name}.png`, data);
}

/** One frame for each scene, and a rest on the last. */
export async function saveGif(scenes: Scene[], name: string): Promise<void> {
  const context = canvasOf(GIF_WIDTH);
  const pixelsOf = async (scene: Scene) => {
    // The corners of the board are round; under them is paper.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, GIF_WIDTH, GIF_WIDTH);
    await paint(scene, GIF_WIDTH, context);
    return context.getImageData(0, 0, GIF_WIDTH, GIF_WIDTH).data;
  };
  // One frame at a time: all those of a long game are more than a phone holds. The last has every colour.
  const writer = new GifWriter(GIF_WIDTH, GIF_WIDTH, await pixelsOf(scenes[scenes.length - 1]));
  for (const [i, scene] of scenes.entries()) writer.add(await pixelsOf(scene), i === scenes.length - 1 ? 300 : 60);
  download(`${name}.gif`, new Blob([writer.done()], { type: "image/gif" }));
}
