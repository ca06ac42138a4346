export { createReportDesk, deleteOldReports } from "./desk.ts";
export { createReports } from "./submit.ts";
