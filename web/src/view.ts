// What all parts of the page look at.
import type { Execution, Page, Step } from './data';
import type { State, Stop } from './machine';

export interface View {
  page: Page;
  execution: Execution;
  stops: Stop[];
  cursor: number; // how many stops are done
  stop: Stop | null; // the latest
  step: Step | null;
  state: State;
  before: State; // before the latest stop
  hovered: number | null; // a step that the user points at
  hover(step: number | null): void;
  goTo(step: number): void; // to the stop at, or before, this step
  moveTo(cursor: number): void;
}

export const threadColour = (thread: number): string => `var(--thread-${thread % 8})`;

// What is true of an execution as a whole.
export interface Facts {
  threads: number[]; // those that do something
  buffered: Map<number, number[]>; // per thread that uses its buffer: the cells it stores to through it
  hasLocal: boolean;
}

const known = new WeakMap<Execution, Facts>();

export function factsOf(execution: Execution): Facts {
  const found = known.get(execution);
  if (found) return found;
  const threads = new Set<number>();
  const buffered = new Map<number, Set<number>>();
  for (const step of execution.steps) {
    threads.add(step.thread);
    if (!step.buffered || step.cell === undefined) continue;
    if (!buffered.has(step.thread)) buffered.set(step.thread, new Set());
    buffered.get(step.thread)!.add(step.cell);
  }
  const facts: Facts = {
    threads: [...threads].sort((a, b) => a - b),
    buffered: new Map([...buffered].map(([thread, cells]) => [thread, [...cells]])),
    hasLocal: execution.steps.some((step) => step.local),
  };
  known.set(execution, facts);
  return facts;
}
