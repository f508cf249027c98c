// What memory, buffers and registers hold after any number of steps. The data has only what each step changes;
// states are added up from there, with a copy kept every now and then so that going back is as fast as going on.
import type { Execution, Step } from './data';

export interface State {
  memory: string[]; // per cell
  buffers: number[][]; // per thread: the stores on their way, as steps, oldest first
  registers: Map<string, string>[]; // per thread
  last: number[]; // per thread: its latest instruction, as a step; -1 before the first
  told: number[]; // per thread: its latest instruction that is not local
}

const DISTANCE = 64;

function copy(state: State): State {
  return {
    memory: state.memory.slice(),
    buffers: state.buffers.map((buffer) => buffer.slice()),
    registers: state.registers.map((registers) => new Map(registers)),
    last: state.last.slice(),
    told: state.told.slice(),
  };
}

function apply(state: State, step: Step, index: number): void {
  const buffer = state.buffers[step.thread]!;
  if (step.buffered) buffer.push(index);
  if (step.store !== undefined) buffer.splice(buffer.indexOf(step.store), 1);
  if (step.memory !== undefined && step.cell !== undefined) state.memory[step.cell] = step.memory;
  if (step.register) state.registers[step.thread]!.set(step.register, step.registerValue ?? '');
  if (step.action === 'flush') return;
  state.last[step.thread] = index;
  if (!step.local && step.action !== 'atomic-end') state.told[step.thread] = index;
}

export class Machine {
  private readonly kept: State[] = [];

  constructor(
    readonly execution: Execution,
    threads: number,
  ) {
    const state: State = {
      memory: execution.cells.map((cell) => cell.initial),
      buffers: Array.from({ length: threads }, () => []),
      registers: Array.from({ length: threads }, () => new Map()),
      last: new Array<number>(threads).fill(-1),
      told: new Array<number>(threads).fill(-1),
    };
    execution.steps.forEach((step, index) => {
      if (index % DISTANCE === 0) this.kept.push(copy(state));
      apply(state, step, index);
    });
    if (execution.steps.length % DISTANCE === 0) this.kept.push(copy(state));
  }

  // After the first `count` steps.
  after(count: number): State {
    const kept = Math.floor(count / DISTANCE);
    const state = copy(this.kept[kept]!);
    for (let index = kept * DISTANCE; index < count; ++index) apply(state, this.execution.steps[index]!, index);
    return state;
  }
}

export interface Filter {
  local: boolean;
  threads: ReadonlySet<number>; // hidden ones
  cell: number | null; // only steps about this one
}

// A stop on the way through an execution: a step that is shown, and where its effects end. Local steps of the same
// thread that follow and are not shown belong to it.
export interface Stop {
  step: number;
  end: number;
  arrival: string; // the labels reached
}

function isShown(step: Step, filter: Filter): boolean {
  if (step.local && !filter.local) return false;
  if (filter.threads.has(step.thread)) return false;
  return filter.cell === null || step.cell === filter.cell;
}

export function stopsOf(execution: Execution, filter: Filter): Stop[] {
  const steps = execution.steps;
  const stops: Stop[] = [];
  for (let index = 0; index < steps.length; ++index) {
    const step = steps[index]!;
    if (!isShown(step, filter)) continue;
    const stop: Stop = { step: index, end: index + 1, arrival: step.arrival ?? '' };
    for (; stop.end < steps.length; ++stop.end) {
      const next = steps[stop.end]!;
      if (!next.local || next.thread !== step.thread || isShown(next, filter)) break;
      if (next.arrival) stop.arrival = next.arrival;
    }
    stops.push(stop);
  }
  return stops;
}

// The last stop that is not behind a step: its number counts from 1; 0 is before the first, as it is for step -1.
export function cursorAt(stops: Stop[], step: number): number {
  let low = 0;
  let high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stops[middle]!.step <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}
