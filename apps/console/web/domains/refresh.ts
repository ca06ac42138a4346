import { api, queryClient } from "../api.ts";

export const refreshDomains = () => queryClient.invalidateQueries(api.domains.pathFilter());
