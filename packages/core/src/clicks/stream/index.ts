export { openClickStream, streamUrlProblem } from "./open.ts";
export { Shipper, type ShipperOptions } from "./shipper.ts";
export { createStreamDrain } from "./drain.ts";
export type { StreamSettings } from "./stream.types.ts";
