/** What stands in the place of a password that is not shown, or not known. It is too short to be one. */
export const hidden = "***";
