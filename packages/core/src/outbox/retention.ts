/** Days for which events and the record of their deliveries are kept, and so can be delivered again */
export const keptDays = 7;
