// Why sequential consistency forbids an execution, in words: one sentence for each edge of the cycle.
import type { Edge, Execution, Page } from './data';

export interface Reason {
  edge: Edge;
  text: string;
  overtaken: boolean; // the store buffer turned this one round
}

function place(execution: Execution, event: number): string {
  const step = execution.steps[execution.events[event]!.step]!;
  return step.line ? ` (line ${step.line})` : '';
}

// "P0 writes x = 1 (line 4)"
export function eventText(page: Page, execution: Execution, event: number): string {
  const { label, step } = execution.events[event]!;
  const thread = page.threads[execution.steps[step]!.thread];
  const [cell, value] = label.slice(2).split(/=(.*)/s);
  const verb = label.startsWith('W') ? 'writes' : label.startsWith('R') ? 'reads' : 'updates';
  const shown = label.startsWith('U') ? ` from ${value?.replace('->', ' to ')}` : ` = ${value}`;
  return `${thread} ${verb} ${cell}${shown}${place(execution, event)}`;
}

// Did the earlier access, a store, reach memory only after the later one had happened?
export function isOvertaken(execution: Execution, edge: Edge): boolean {
  const from = execution.events[edge.from]!;
  const to = execution.events[edge.to]!;
  if (edge.relation !== 'po' || from.label.startsWith('R')) return false;
  return from.visible === null || from.visible > to.step;
}

function sentence(page: Page, execution: Execution, edge: Edge): string {
  const from = eventText(page, execution, edge.from);
  const to = eventText(page, execution, edge.to);
  const thread = page.threads[execution.steps[execution.events[edge.from]!.step]!.thread];
  switch (edge.relation) {
    case 'po':
      return `${from}, then ${to}: the code of ${thread} has them in this order.`;
    case 'rf':
      return `${to}: that is the value which ${from}, so the write comes first.`;
    case 'co':
      return `${from}, and ${to} over it: this order of the two writes is the one in memory.`;
    case 'fr':
      return `${from} and does not see it yet when ${to}, so the read comes first.`;
  }
}

export function reasons(page: Page, execution: Execution): Reason[] {
  return execution.cycle.map((edge) => ({
    edge,
    text: sentence(page, execution, edge),
    overtaken: isOvertaken(execution, edge),
  }));
}

// What the buffers did instead, and what would stop them.
export function instead(page: Page, execution: Execution): string[] {
  return execution.cycle
    .filter((edge) => isOvertaken(execution, edge))
    .map((edge) => {
      const from = execution.events[edge.from]!;
      const to = execution.events[edge.to]!;
      const store = execution.steps[from.step]!;
      const load = execution.steps[to.step]!;
      const thread = page.threads[store.thread];
      const end =
        from.visible === null ? 'and was still there at the end' : `until step ${execution.steps[from.visible]!.n}`;
      const where = load.line ? `, before line ${load.line},` : '';
      return (
        `The store of ${thread} in step ${store.n} waited in its buffer ${end}; step ${load.n} overtook it. ` +
        `A fence between them${where} would stop this.`
      );
    });
}
