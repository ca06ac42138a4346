export { OutboundError } from "./outbound-error.ts";
export { createOutbound, type Outbound, type OutboundAnswer } from "./outbound.ts";
