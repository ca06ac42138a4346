/** Wide enough for the service, which stores 256 pixels. */
const side = 512;
const previewSide = 192;

/** An image that was chosen and is not stored yet: a square. */
export interface ChosenImage {
  /** What is sent */
  blob: Blob;
  /** A small copy as a data: URL, for the preview */
  url: string;
  canvas: HTMLCanvasElement;
}

/** Cuts the middle out of an image file, in the browser, so that photos of any size and kind that it reads can be used. */
export async function squareOf(file: Blob): Promise<ChosenImage> {
  const bitmap = await createImageBitmap(file);
  const canvas = draw(bitmap, side);
  const url = await readAsUrl(await encode(draw(bitmap, previewSide)));
  bitmap.close();
  return { blob: await encode(canvas), url, canvas };
}

function draw(image: ImageBitmap, size: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const from = Math.min(image.width, image.height);
  const context = canvas.getContext("2d");
  if (context) {
    context.imageSmoothingQuality = "high";
    context.drawImage(
      image,
      (image.width - from) / 2,
      (image.height - from) / 2,
      from,
      from,
      0,
      0,
      size,
      size,
    );
  }
  return canvas;
}

/** As WebP; as PNG where the browser cannot make one. */
const encode = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no image"))), "image/webp", 0.9),
  );

const readAsUrl = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(new Error("no image")));
    reader.readAsDataURL(blob);
  });
