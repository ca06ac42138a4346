export { maxImageBytes, squareImage, wholeImage } from "./convert.ts";
