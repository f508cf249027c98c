// Where the events of an execution graph stand. A thread is a column, as in the literature, so columns are given; a
// row is a rank: an event stands below the one before it in its thread, and below the write it reads from. Relations
// that go back in this order (those of a cycle do) are left out of the ranking and drawn as they are.
//
// Layered layouts of libraries choose columns by themselves, and so lose what a column means; that is why none is
// used. Linear in the number of events and edges.
import type { Execution } from './data';

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  at: Point[]; // the middle of each event
  columns: { thread: number; x: number }[];
  width: number;
  height: number;
}

export const NODE_HEIGHT = 30;
const ROW = 64;
const TOP = 54;
const MARGIN = 26;

export function nodeWidth(execution: Execution): number {
  const longest = execution.events.reduce((most, event) => Math.max(most, event.label.length), 6);
  return Math.min(190, Math.max(84, longest * 7.6 + 22));
}

export function layOut(execution: Execution): Layout {
  const threadOf = (event: number) => execution.steps[execution.events[event]!.step]!.thread;
  const threads = [...new Set(execution.events.map((_, event) => threadOf(event)))].sort((a, b) => a - b);
  const gap = threads.length > 2 ? 62 : 96;
  const column = nodeWidth(execution) + gap;
  const columns = threads.map((thread, index) => ({ thread, x: MARGIN + column * index + (column - gap) / 2 + 24 }));
  const x = new Map(columns.map((entry) => [entry.thread, entry.x]));

  const rank = ranks(execution);
  const at = execution.events.map((_, event) => ({ x: x.get(threadOf(event))!, y: TOP + ROW * rank[event]! }));
  const bottom = at.reduce((most, point) => Math.max(most, point.y), TOP);
  const right = columns.length > 0 ? columns[columns.length - 1]!.x + (column - gap) / 2 : 0;
  return { at, columns, width: right + MARGIN + 24, height: bottom + NODE_HEIGHT + MARGIN };
}

// Events are in the order of their steps, and so is what program order and reads-from relate, except for a read of
// a store in the own buffer, which program order has already.
function ranks(execution: Execution): number[] {
  const above: number[][] = execution.events.map(() => []);
  for (const edge of execution.edges)
    if ((edge.relation === 'po' || edge.relation === 'rf') && edge.from < edge.to) above[edge.to]!.push(edge.from);
  const rank: number[] = [];
  above.forEach((list, event) => {
    rank[event] = list.reduce((most, other) => Math.max(most, rank[other]! + 1), 0);
  });
  return rank;
}

// An arrow from one box to another. Between columns it leaves and enters at the sides that face each other; in a
// column it goes straight to the next box and around others. Arrows between the same boxes keep apart.
export interface Arrow {
  path: string;
  label: Point;
}

interface Curve {
  from: Point;
  first: Point; // control points
  second: Point;
  to: Point;
}

const HEAD = 2; // the point of the arrow stays so far from the box

function between(from: Point, to: Point, twins: number, width: number): Curve {
  const side = to.x > from.x ? 1 : -1;
  const shift = 7 * (twins % 2 === 0 ? -twins / 2 : (twins + 1) / 2);
  const begin = { x: from.x + (side * width) / 2, y: from.y + shift };
  const end = { x: to.x - side * (width / 2 + HEAD), y: to.y + shift };
  const reach = Math.max(24, Math.abs(end.x - begin.x) * 0.42);
  return { from: begin, first: { x: begin.x + side * reach, y: begin.y }, second: { x: end.x - side * reach, y: end.y }, to: end };
}

function straight(from: Point, to: Point): Curve {
  const down = to.y > from.y ? 1 : -1;
  const begin = { x: from.x, y: from.y + (down * NODE_HEIGHT) / 2 };
  const end = { x: to.x, y: to.y - down * (NODE_HEIGHT / 2 + HEAD) };
  return { from: begin, first: begin, second: end, to: end };
}

// On the outer side first.
function around(from: Point, to: Point, twins: number, width: number, outer: 1 | -1): Curve {
  const side = twins % 2 === 0 ? outer : -outer;
  const reach = 26 + Math.min(34, Math.abs(to.y - from.y) * 0.08) + 10 * Math.floor(twins / 2);
  const begin = { x: from.x + (side * width) / 2, y: from.y };
  const end = { x: to.x + side * (width / 2 + HEAD), y: to.y };
  return { from: begin, first: { x: begin.x + side * reach, y: begin.y }, second: { x: end.x + side * reach, y: end.y }, to: end };
}

// `next`: to the next box of the column, which nothing else leads to.
export function arrow(from: Point, to: Point, next: boolean, twins: number, width: number, outer: 1 | -1): Arrow {
  const line =
    from.x !== to.x ? between(from, to, twins, width) : next ? straight(from, to) : around(from, to, twins, width, outer);
  const text = ({ x, y }: Point) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
  // A little before the middle, so that the labels of arrows that cross do not cover each other.
  const t = from.x === to.x ? 0.5 : 0.38;
  const on = (axis: 'x' | 'y') =>
    (1 - t) ** 3 * line.from[axis] + 3 * (1 - t) ** 2 * t * line.first[axis] + 3 * (1 - t) * t ** 2 * line.second[axis] + t ** 3 * line.to[axis];
  return {
    path: `M${text(line.from)}C${text(line.first)} ${text(line.second)} ${text(line.to)}`,
    label: { x: on('x'), y: on('y') },
  };
}
