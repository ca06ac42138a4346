/**
 * Splits events, which are in order, into stages that follow each other. The lanes of a stage can be delivered at the same time:
 * each has the events of one link or domain, in their order. An event about several links is a stage of its own.
 */
export function stagesOf<Event extends { subject: { id: string } | null }>(
  events: readonly Event[],
): Event[][][] {
  const stages: Event[][][] = [];
  let open = new Map<string, Event[]>();
  const close = () => {
    if (open.size > 0) stages.push([...open.values()]);
    open = new Map();
  };
  for (const event of events) {
    if (event.subject === null) {
      close();
      stages.push([[event]]);
      continue;
    }
    const lane = open.get(event.subject.id);
    if (lane) lane.push(event);
    else open.set(event.subject.id, [event]);
  }
  close();
  return stages;
}
