import { later, skeleton } from "./later.tsx";

/** Fields whose scripts are large, and are loaded when one is first shown. */

export const DayField = later(() => import("./DayField.tsx"), "DayField", skeleton);
export const TimeField = later(() => import("./TimeField.tsx"), "TimeField", skeleton);
export const CountryField = later(() => import("./CountryField.tsx"), "CountryField", skeleton);
