export { createPermits, type Permits } from "./permits.ts";
export { countPermits, deleteSomeClosedPermits, releasePermits } from "./statements.ts";
