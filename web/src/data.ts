// The data that Weir writes into the page; docs/explorer.md describes the fields.

export interface Place {
  file?: number;
  line?: number;
  column?: number;
}

export interface Step extends Place {
  n: number;
  thread: number;
  action: string;
  text: string;
  local?: boolean;
  buffered?: boolean;
  store?: number;
  cell?: number;
  value?: string;
  memory?: string;
  register?: string;
  registerValue?: string;
  arrival?: string;
}

export interface GraphEvent {
  step: number;
  visible: number | null;
  unit: number;
  label: string;
}

export type Relation = 'po' | 'rf' | 'co' | 'fr';

export interface Edge {
  from: number;
  to: number;
  relation: Relation;
}

// The step that a thread would take next: one of two that race, or one that waits in vain.
export interface Access extends Place {
  thread: number;
  text: string; // "writes ready"
}

export interface Execution {
  title: string;
  model: 'sc' | 'tso' | 'pso';
  violation?: Place & { kind: string; message: string; accesses?: Access[] };
  allowedBy?: string[];
  cells: { name: string; initial: string; internal?: boolean }[];
  steps: Step[];
  leftOut?: number;
  skipped?: number; // steps before the first
  noGraph?: boolean; // it would be too large
  events: GraphEvent[];
  edges: Edge[];
  globalOrder: Edge[];
  cycle: Edge[];
  loop?: number;
}

export interface Fence extends Place {
  threads: string;
  text: string; // as the language writes it
  without?: string;
}

export interface Page {
  schema: 1;
  version: string;
  command: string;
  commandLine: string;
  file: string;
  model: string;
  engine: string;
  tone: 'good' | 'bad' | 'unsure';
  headline: string;
  message: string;
  story?: string[]; // what went wrong, in a few sentences
  figures: [string, string][];
  next: string[];
  threads: string[];
  executions: Execution[];
  nothingToShow?: string;
  fences: Fence[];
  sources: { path: string; text: string }[];
}

// What a library does inside, such as the threads' own bookkeeping, is left out of the graph, unless the cycle passes
// through it; program order then leads from one access to the next that is left.
export function withoutInternal(execution: Execution): Execution {
  const inCycle = new Set(execution.cycle.flatMap((edge) => [edge.from, edge.to]));
  const isInternal = (event: GraphEvent) => {
    const cell = execution.steps[event.step]!.cell;
    return cell !== undefined && execution.cells[cell]?.internal === true;
  };
  const kept = execution.events.map((event, index) => inCycle.has(index) || !isInternal(event));
  if (kept.every(Boolean)) return execution;
  const number: number[] = [];
  let count = 0;
  for (const keep of kept) number.push(keep ? count++ : -1);
  const rename = (edges: Edge[]) =>
    edges
      .filter((edge) => kept[edge.from] && kept[edge.to])
      .map((edge) => ({ ...edge, from: number[edge.from]!, to: number[edge.to]! }));
  const events = execution.events.filter((_, index) => kept[index]);
  const latest = new Map<number, number>(); // per thread
  const order: Edge[] = [];
  events.forEach((event, index) => {
    const thread = execution.steps[event.step]!.thread;
    const before = latest.get(thread);
    if (before !== undefined) order.push({ from: before, to: index, relation: 'po' });
    latest.set(thread, index);
  });
  return {
    ...execution,
    events,
    edges: [...order, ...rename(execution.edges).filter((edge) => edge.relation !== 'po')],
    globalOrder: rename(execution.globalOrder),
    cycle: rename(execution.cycle),
  };
}

// Edges are written as [from, to, relation].
type Written = Omit<Execution, 'edges' | 'globalOrder' | 'cycle'> &
  Record<'edges' | 'globalOrder' | 'cycle', [number, number, Relation][]>;

function readExecution(written: Written): Execution {
  const edges = (list: [number, number, Relation][]) => list.map(([from, to, relation]) => ({ from, to, relation }));
  return { ...written, edges: edges(written.edges), globalOrder: edges(written.globalOrder), cycle: edges(written.cycle) };
}

export function readPage(): Page {
  const element = document.getElementById('weir-data');
  const page = JSON.parse(element?.textContent ?? '') as Omit<Page, 'executions'> & { executions: Written[] };
  if (page.schema !== 1) throw new Error('this page cannot show data of another version');
  return { ...page, executions: page.executions.map(readExecution).map(withoutInternal) };
}

export const MODEL_NAMES: Record<string, string> = {
  sc: 'sequential consistency',
  tso: 'total store order',
  pso: 'partial store order',
};
