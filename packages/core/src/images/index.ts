export { maxImageBytes, squareImage } from "./convert.ts";
