// The page: what is shown, what the keys do, and how the parts are told about each other.
import { useCallback, useLayoutEffect, useMemo, useState } from 'preact/hooks';

import { MODEL_NAMES, type Execution, type Page } from './data';
import { GraphPanel, WhyPanel } from './graph';
import { cursorAt, Machine, stopsOf, type Filter } from './machine';
import { MachinePanel } from './machine_panel';
import { SourcePanel } from './source';
import { StepsPanel } from './steps';
import { Timeline } from './timeline';
import type { View } from './view';

const PANES = ['Source', 'Machine', 'Graph', 'Steps'] as const;
type Pane = (typeof PANES)[number];

type Theme = 'light' | 'dark';

function useTheme(): [Theme, () => void] {
  const preferred = matchMedia('(prefers-color-scheme: dark)');
  const [chosen, choose] = useState<Theme | null>(null);
  const [system, setSystem] = useState<Theme>(preferred.matches ? 'dark' : 'light');
  useLayoutEffect(() => {
    const change = () => setSystem(preferred.matches ? 'dark' : 'light');
    preferred.addEventListener('change', change);
    return () => preferred.removeEventListener('change', change);
  }, []);
  const theme = chosen ?? system;
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [theme, () => choose((now) => ((now ?? system) === 'dark' ? 'light' : 'dark'))];
}

// Listens to the keyboard as soon as the page is changed, not only when it is painted: a key that follows another
// at once is for what that one has brought.
function useKeys(press: (event: KeyboardEvent) => void) {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const free = !(event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement);
      if (free) press(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

function Header({ page, theme, switchTheme }: { page: Page; theme: Theme; switchTheme(): void }) {
  return (
    <header class="top">
      <div class="brand" title={`Weir ${page.version}`}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M2 8c3 0 3-2.4 6-2.4S11 8 14 8s3-2.4 8-2.4M2 13c3 0 3-2.4 6-2.4s3 2.4 6 2.4M17 11v8M21 11v8M2 18c3 0 3-2.4 6-2.4s3 2.4 6 2.4" />
        </svg>
        <span>Weir</span>
      </div>
      <h1>
        <span class={`verdict ${page.tone}`}>{page.headline}</span>
        <span class="message">{page.message}</span>
      </h1>
      <button class="icon-button" onClick={switchTheme} aria-label={`Switch to ${theme === 'dark' ? 'light' : 'dark'} colours`} title="Light or dark (T)">
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" class="icon">
          <path d={theme === 'dark' ? 'M10 5a5 5 0 1 0 0 10a5 5 0 0 0 0-10zM10 1v2M10 17v2M1 10h2M17 10h2M3.6 3.6l1.4 1.4M15 15l1.4 1.4M3.6 16.4l1.4-1.4M15 5l1.4-1.4' : 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z'} />
        </svg>
      </button>
    </header>
  );
}

function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button class="command" onClick={copy} title="Copy">
      <code>{text}</code>
      <span aria-live="polite">{copied ? 'copied' : ''}</span>
    </button>
  );
}

function About({ page }: { page: Page }) {
  return (
    <div class="about">
      {page.story && (
        <ul class="story" aria-label="What happened">
          {page.story.map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
      )}
      <span class="asked">
        <code>{page.commandLine}</code>
      </span>
      {page.next.length > 0 && (
        <span class="next">
          <span class="quiet">next</span>
          {page.next.map((text) => (
            <Command text={text} />
          ))}
        </span>
      )}
      <details class="figures">
        <summary>figures</summary>
        <dl>
          <div>
            <dt>engine</dt>
            <dd>{page.engine}</dd>
          </div>
          {page.figures.map(([name, value]) => (
            <div>
              <dt>{name.replace(/_/g, ' ')}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

interface ExecutionsProps {
  page: Page;
  chosen: number;
  choose(index: number): void;
}

const MOST_TABS = 8;

// Several violations or outcomes; very many are a list.
function Executions({ page, chosen, choose }: ExecutionsProps) {
  if (page.executions.length < 2) return null;
  if (page.executions.length > MOST_TABS) return <ExecutionList page={page} chosen={chosen} choose={choose} />;
  return (
    <nav class="executions" aria-label="Executions">
      {page.executions.map((execution, index) => (
        <button aria-pressed={index === chosen} onClick={() => choose(index)} title={execution.title}>
          <span class="index">{index + 1}</span>
          <span class="title">{execution.title}</span>
          {execution.allowedBy && <span class="models">{execution.allowedBy.join(' ')}</span>}
        </button>
      ))}
    </nav>
  );
}

function ExecutionList({ page, chosen, choose }: ExecutionsProps) {
  const count = page.executions.length;
  return (
    <nav class="executions many" aria-label="Executions">
      <button onClick={() => choose((chosen + count - 1) % count)} aria-label="The execution before this one">
        ‹
      </button>
      <select aria-label="Execution" value={chosen} onChange={(e) => choose(Number(e.currentTarget.value))}>
        {page.executions.map((execution, index) => (
          <option value={index}>
            {`${index + 1} of ${count}: ${execution.title}${execution.allowedBy ? ` (${execution.allowedBy.join(', ')})` : ''}`}
          </option>
        ))}
      </select>
      <button onClick={() => choose((chosen + 1) % count)} aria-label="The next execution (N)">
        ›
      </button>
    </nav>
  );
}

interface ExplorerProps {
  page: Page;
  execution: Execution;
  why: boolean;
  showWhy(on: boolean | ((now: boolean) => boolean)): void;
}

function Explorer({ page, execution, why, showWhy }: ExplorerProps) {
  const [filter, setFilter] = useState<Filter>({ local: false, threads: new Set(), cell: null });
  const [position, setPosition] = useState({ at: 0, round: 1 }); // steps that are done, and rounds of the loop
  const [playing, setPlaying] = useState(false);
  const [hovered, hover] = useState<number | null>(null);
  const [reason, chooseReason] = useState<number | null>(null); // an edge of the cycle
  const [pane, setPane] = useState<Pane>('Source');
  const [large, enlarge] = useState(false); // the graph
  const machine = useMemo(() => new Machine(execution, page.threads.length), [execution, page]);
  const stops = useMemo(() => stopsOf(execution, filter), [execution, filter]);
  const cursor = cursorAt(stops, position.at - 1);
  const stop = cursor === 0 ? null : stops[cursor - 1]!;
  const panes: readonly Pane[] = execution.events.length > 0 ? PANES : PANES.filter((name) => name !== 'Graph');
  const looping = execution.loop !== undefined && execution.loop < execution.steps.length;

  // Moves are made from where the page is by then, so that no key is lost while it draws.
  const move = useCallback(
    (next: (cursor: number) => number) =>
      setPosition(({ at, round }) => {
        const wanted = Math.max(0, Math.min(stops.length, next(cursorAt(stops, at - 1))));
        const reached = wanted === 0 ? -1 : stops[wanted - 1]!.step;
        return { at: reached + 1, round: looping && reached >= execution.loop! ? round : 1 };
      }),
    [stops, execution, looping],
  );
  const moveTo = useCallback((wanted: number) => move(() => wanted), [move]);
  const goTo = useCallback((step: number) => move(() => cursorAt(stops, step)), [stops, move]);
  const forward = useCallback(
    () =>
      setPosition(({ at, round }) => {
        const now = cursorAt(stops, at - 1);
        if (now < stops.length) return { at: stops[now]!.step + 1, round };
        if (!looping) return { at, round };
        const first = stops[cursorAt(stops, execution.loop! - 1)];
        return first ? { at: first.step + 1, round: round + 1 } : { at, round };
      }),
    [stops, execution, looping],
  );
  useLayoutEffect(() => {
    if (cursor === stops.length && !looping) setPlaying(false);
  }, [cursor, stops, looping]);

  useKeys((event) => {
    const target = event.target as HTMLElement;
    const slider = target instanceof HTMLInputElement && target.type === 'range';
    const keys: Record<string, () => void> = {
      ArrowRight: forward,
      ArrowLeft: () => move((now) => now - 1),
      Home: () => moveTo(0),
      End: () => moveTo(stops.length),
      PageDown: () => move((now) => now + 10),
      PageUp: () => move((now) => now - 10),
      w: () => execution.cycle.length > 0 && showWhy((on) => !on),
      g: () => panes.includes('Graph') && enlarge((on) => !on),
    };
    if (!(target instanceof HTMLButtonElement) && !(target instanceof HTMLInputElement && !slider))
      keys[' '] = () => setPlaying((on) => !on);
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  const state = useMemo(() => machine.after(stop?.end ?? 0), [machine, stop]);
  const before = useMemo(() => machine.after(stop?.step ?? 0), [machine, stop]);
  const view: View = {
    page,
    execution,
    stops,
    cursor,
    stop,
    step: stop ? execution.steps[stop.step]! : null,
    state,
    before,
    hovered,
    hover,
    goTo,
    moveTo,
  };
  return (
    <>
      <nav class="panes" aria-label="Parts of the page">
        {panes.map((name) => (
          <button aria-pressed={pane === name} onClick={() => setPane(name)}>
            {name}
          </button>
        ))}
      </nav>
      <main class={`explorer${why ? ' explains' : ''}${large ? ' large' : ''}${panes.includes('Graph') ? '' : ' no-graph'} show-${pane.toLowerCase()}`}>
        <SourcePanel view={view} />
        <MachinePanel view={view} />
        {panes.includes('Graph') && (
          <GraphPanel view={view} why={why} showWhy={showWhy} chosen={reason} large={large} enlarge={enlarge} />
        )}
        {why && <WhyPanel view={view} chosen={reason} choose={chooseReason} close={() => showWhy(false)} />}
        <StepsPanel view={view} filter={filter} setFilter={setFilter} />
      </main>
      <Timeline view={view} playing={playing} setPlaying={setPlaying} round={position.round} forward={forward} />
    </>
  );
}

// A page without an execution: the source and what was found out, and no controls that do nothing.
function Quiet({ page }: { page: Page }) {
  const execution: Execution = { title: '', model: 'sc', cells: [], steps: [], events: [], edges: [], globalOrder: [], cycle: [] };
  const nothing = { memory: [], buffers: [], registers: [], last: [], told: [] };
  const view: View = {
    page,
    execution,
    stops: [],
    cursor: 0,
    stop: null,
    step: null,
    state: nothing,
    before: nothing,
    hovered: null,
    hover: () => undefined,
    goTo: () => undefined,
    moveTo: () => undefined,
  };
  return (
    <main class="quiet-page">
      <SourcePanel view={view} />
      <section class="panel findings" aria-label="Answer">
        <header>
          <h2>Answer</h2>
        </header>
        <div class="pad">
          <p class={`answer ${page.tone}`}>
            <b>{page.headline}</b>
            {page.message && `: ${page.message}`}
          </p>
          {(page.nothingToShow ?? '').split('\n').map((line) => (
            <p>{line}</p>
          ))}
          <p class="quiet">
            Memory model: {page.model}, {MODEL_NAMES[page.model]}. Engine: {page.engine}.
          </p>
          <dl class="figure-table">
            {page.figures.map(([name, value]) => (
              <div>
                <dt>{name.replace(/_/g, ' ')}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
    </main>
  );
}

export function App({ page }: { page: Page }) {
  const [theme, switchTheme] = useTheme();
  const [chosen, choose] = useState(0);
  const [why, showWhy] = useState(false);
  useKeys((event) => {
    if (event.key === 't') switchTheme();
    if (event.key === 'n') choose((now) => (now + 1) % Math.max(1, page.executions.length));
  });
  const execution = page.executions[chosen];
  return (
    <div class={`app${page.executions.length > 1 ? ' several' : ''}`}>
      <Header page={page} theme={theme} switchTheme={switchTheme} />
      <About page={page} />
      <Executions page={page} chosen={chosen} choose={choose} />
      {execution ? (
        <Explorer key={chosen} page={page} execution={execution} why={why && execution.cycle.length > 0} showWhy={showWhy} />
      ) : (
        <Quiet page={page} />
      )}
    </div>
  );
}
