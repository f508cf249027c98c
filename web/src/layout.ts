// Where the events of an execution graph stand. A thread is a column, as in the literature, so columns are given; a
// row is a rank: an event stands below the one before it in its thread, and below the write it reads from. Relations
// that go back in this order (those of a cycle do) are left out of the ranking and drawn as they are.
//
// Layered layouts of libraries choose columns by themselves, and so lose what a column means; that is why none is
// used. Linear in the number of events and, for a given number of threads, of edges.
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

const LETTER = 7.6; // pixels
const WIDEST = 260;

export function nodeWidth(execution: Execution): number {
  const longest = execution.events.reduce((most, event) => Math.max(most, event.label.length), 6);
  return Math.min(WIDEST, Math.max(84, longest * LETTER + 22));
}

// A text that is too long for a box of that width loses its middle: names begin and values end it.
export function fitted(text: string, width: number): string {
  const most = Math.floor((width - 14) / LETTER);
  if (text.length <= most) return text;
  const end = Math.ceil((most - 1) / 2);
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
}

export function layOut(execution: Execution): Layout {
  const threadOf = (event: number) => execution.steps[execution.events[event]!.step]!.thread;
  const threads = [...new Set(execution.events.map((_, event) => threadOf(event)))].sort((a, b) => a - b);
  const gap = threads.length > 2 ? 66 : 96;
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

// Arrows. Between neighbouring columns an arrow stays in the space between them; it crosses the columns on its way in
// the gaps between boxes, so that it never runs through one. In a column it goes straight to the next box and around
// others. Where several arrows meet at one side of a box they keep apart, ordered so that few cross.
export interface Arrow {
  path: string;
  label: Point;
}

export interface Link {
  from: number; // events
  to: number;
  straight: boolean; // to the next box of the column, and nothing else leads there
}

type Side = 1 | -1;

interface Route extends Link {
  side: { from: Side; to: Side }; // on which the arrow leaves and enters
  shift: { from: number; to: number }; // from the middle of that side
}

const HEAD = 2; // the point of the arrow stays so far from the box
const PORTS = 22; // pixels of a side that arrows may use
const CLEARANCE = 6; // beside a box that an arrow passes
const LANES = [-9, 8, -13, 3]; // from the middle of a gap: where arrows pass; its middle has the labels of program order

export function arrows(layout: Layout, width: number, links: Link[]): Arrow[] {
  const routes = links.map((link) => routed(layout, link));
  separateTwins(layout, routes);
  spreadPorts(layout, routes);
  const lanes = new Lanes(layout);
  const labels: Point[] = [];
  return routes.map((route) => {
    const arrow = drawn(layout, width, route, lanes, labels);
    labels.push(arrow.label);
    return arrow;
  });
}

// An arrow within a column bends to the outside of the drawing.
function routed(layout: Layout, link: Link): Route {
  const from = layout.at[link.from]!;
  const to = layout.at[link.to]!;
  const outer: Side = from.x <= layout.width / 2 ? -1 : 1;
  const ahead: Side = to.x > from.x ? 1 : -1;
  const side = from.x === to.x ? { from: outer, to: outer } : { from: ahead, to: -ahead as Side };
  return { ...link, side, shift: { from: 0, to: 0 } };
}

// Of several arrows around the same boxes, every second one takes the other side.
function separateTwins(layout: Layout, routes: Route[]): void {
  const seen = new Map<string, number>();
  for (const route of routes) {
    if (route.straight || layout.at[route.from]!.x !== layout.at[route.to]!.x) continue;
    const key = [Math.min(route.from, route.to), Math.max(route.from, route.to)].join(' ');
    const twins = seen.get(key) ?? 0;
    seen.set(key, twins + 1);
    if (twins % 2 === 1) route.side = { from: -route.side.from as Side, to: -route.side.to as Side };
  }
}

// What ends at one side of a box is ordered by where it comes from: from above first. An arrow that bends back to its
// own column keeps outside of shorter ones.
function spreadPorts(layout: Layout, routes: Route[]): void {
  const ports = new Map<string, { route: Route; end: 'from' | 'to'; order: number }[]>();
  for (const route of routes) {
    if (route.straight) continue;
    for (const end of ['from', 'to'] as const) {
      const here = layout.at[route[end]]!;
      const there = layout.at[route[end === 'from' ? 'to' : 'from']]!;
      const away = there.y - here.y;
      const order = here.x === there.x ? Math.sign(away) * (1e6 - Math.abs(away)) : away;
      const key = `${route[end]} ${route.side[end]}`;
      if (!ports.has(key)) ports.set(key, []);
      ports.get(key)!.push({ route, end, order });
    }
  }
  for (const list of ports.values()) {
    list.sort((a, b) => a.order - b.order);
    const step = Math.min(7, PORTS / Math.max(1, list.length - 1));
    list.forEach(({ route, end }, index) => (route.shift[end] = (index - (list.length - 1) / 2) * step));
  }
}

// Where arrows may pass through a column.
class Lanes {
  private readonly boxes = new Set<string>();
  private readonly taken = new Map<string, number>();

  constructor(layout: Layout) {
    for (const { x, y } of layout.at) this.boxes.add(`${x} ${y}`);
  }

  // As near to y as no box is in the way.
  pass(x: number, y: number): number {
    const row = Math.round((y - TOP) / ROW);
    const middle = TOP + ROW * row;
    if (!this.boxes.has(`${x} ${middle}`)) return this.lane(`${x} row ${row}`, middle);
    const below = y > middle || row === 0; // above the first row are the threads' names
    return this.lane(`${x} gap ${below ? row : row - 1}`, middle + (below ? ROW / 2 : -ROW / 2));
  }

  private lane(key: string, middle: number): number {
    const number = this.taken.get(key) ?? 0;
    this.taken.set(key, number + 1);
    return middle + LANES[number % LANES.length]!;
  }
}

type Curve = [Point, Point, Point, Point];

// From one place to the next, level at both.
function bend(from: Point, to: Point): Curve {
  const reach = (to.x - from.x) / 2;
  return [from, { x: from.x + reach, y: from.y }, { x: to.x - reach, y: to.y }, to];
}

function around(from: Point, to: Point, side: Side): Curve {
  const reach = 26 + Math.min(34, Math.abs(to.y - from.y) * 0.08);
  return [from, { x: from.x + side * reach, y: from.y }, { x: to.x + side * reach, y: to.y }, to];
}

function down(from: Point, to: Point): Curve {
  const sign = to.y > from.y ? 1 : -1;
  const begin = { x: from.x, y: from.y + (sign * NODE_HEIGHT) / 2 };
  const end = { x: to.x, y: to.y - sign * (NODE_HEIGHT / 2 + HEAD) };
  return [begin, begin, end, end];
}

function curves(layout: Layout, width: number, route: Route, lanes: Lanes): Curve[] {
  const from = layout.at[route.from]!;
  const to = layout.at[route.to]!;
  if (route.straight) return [down(from, to)];
  const begin = { x: from.x + route.side.from * (width / 2), y: from.y + route.shift.from };
  const end = { x: to.x + route.side.to * (width / 2 + HEAD), y: to.y + route.shift.to };
  if (from.x === to.x) return [around(begin, end, route.side.from)];
  const sign = route.side.from;
  const between = layout.columns.filter(({ x }) => (x - from.x) * sign > 0 && (to.x - x) * sign > 0);
  if (sign < 0) between.reverse();
  const list: Curve[] = [];
  let here: Point = begin;
  for (const { x } of between) {
    const straightOn = here.y + ((end.y - here.y) * (x - here.x)) / (end.x - here.x);
    const y = lanes.pass(x, straightOn);
    const before = { x: x - sign * (width / 2 + CLEARANCE), y };
    const behind = { x: x + sign * (width / 2 + CLEARANCE), y };
    list.push(bend(here, before), [before, before, behind, behind]);
    here = behind;
  }
  list.push(bend(here, end));
  return list;
}

// On its arrow, where no other label is; between columns a little before the middle, so that those of arrows that cross
// are apart.
const LABEL = { width: 20, height: 14 };
const CROWD = 400; // labels, with which nobody reads any

function drawn(layout: Layout, width: number, route: Route, lanes: Lanes, labels: Point[]): Arrow {
  const list = curves(layout, width, route, lanes);
  const text = ({ x, y }: Point) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
  const path = list.map(([, first, second, to]) => `C${text(first)} ${text(second)} ${text(to)}`).join('');
  const within = layout.at[route.from]!.x === layout.at[route.to]!.x;
  const places = (within ? [0.5, 0.35, 0.65, 0.2, 0.8] : [0.38, 0.26, 0.5, 0.62, 0.74]).map((t) => pointOn(list[0]!, t));
  const isFree = (place: Point) =>
    labels.length > CROWD ||
    labels.every(({ x, y }) => Math.abs(x - place.x) > LABEL.width || Math.abs(y - place.y) > LABEL.height);
  return { path: `M${text(list[0]![0])}${path}`, label: places.find(isFree) ?? places[0]! };
}

function pointOn([p0, p1, p2, p3]: Curve, t: number): Point {
  const on = (axis: 'x' | 'y') =>
    (1 - t) ** 3 * p0[axis] + 3 * (1 - t) ** 2 * t * p1[axis] + 3 * (1 - t) * t ** 2 * p2[axis] + t ** 3 * p3[axis];
  return { x: on('x'), y: on('y') };
}
