// The machine: each thread with its registers and its store buffer, drawn as a queue that leads to memory.
import type { Step } from './data';
import { factsOf, threadColour, type View } from './view';

function cellName(view: View, step: Step): string {
  return step.cell === undefined ? '' : (view.execution.cells[step.cell]?.name ?? '');
}

function Entry({ view, store, leaving, entering }: { view: View; store: number; leaving?: boolean; entering?: boolean }) {
  const step = view.execution.steps[store]!;
  return (
    <li
      key={store}
      class={`entry${leaving ? ' leaving' : ''}${entering ? ' entering' : ''}${view.hovered === store ? ' hovered' : ''}`}
      onMouseEnter={() => view.hover(store)}
      onMouseLeave={() => view.hover(null)}
      title={`${step.text}, in step ${step.n}${leaving ? '; now in memory' : ''}`}
    >
      <span>{cellName(view, step)}</span>
      <b>{step.value}</b>
    </li>
  );
}

const MOST = 6; // entries that are drawn; of more, the oldest and the newest

// Newest on the left, where stores come in; memory is on the right.
interface QueueProps {
  view: View;
  stores: number[];
  leaving?: number;
  label: string;
  cell?: string; // the only variable whose stores it takes
}

function Queue({ view, stores, leaving, label, cell }: QueueProps) {
  const entering = view.stop && view.step?.buffered ? view.stop.step : undefined;
  const newest = stores.length > MOST ? stores[stores.length - 1] : undefined;
  const oldest = newest === undefined ? [...stores] : stores.slice(0, MOST - 1);
  return (
    <ol
      class={`queue${stores.length === 0 && leaving === undefined ? ' empty' : ''}`}
      aria-label={label}
      data-what={cell === undefined ? '' : `${cell}: `}
    >
      {newest !== undefined && <Entry key={newest} view={view} store={newest} entering={newest === entering} />}
      {newest !== undefined && (
        <li class="entry more" title={`${stores.length - MOST} more`}>
          +{stores.length - MOST}
        </li>
      )}
      {oldest.reverse().map((store) => (
        <Entry key={store} view={view} store={store} entering={store === entering} />
      ))}
      {leaving !== undefined && <Entry key={leaving} view={view} store={leaving} leaving />}
    </ol>
  );
}

// One queue; under PSO one for each variable.
function Buffer({ view, thread }: { view: View; thread: number }) {
  const { execution, page } = view;
  if (execution.model === 'sc') return null;
  const cells = factsOf(execution).buffered.get(thread);
  if (!cells) return null; // it has one, but nothing ever enters it
  const stores = view.state.buffers[thread]!;
  const leaving = view.step?.thread === thread ? view.step.store : undefined;
  const name = page.threads[thread]!;
  if (execution.model === 'tso') return <Queue view={view} stores={stores} leaving={leaving} label={`Buffer of ${name}`} />;
  return (
    <div class="queues">
      {cells.filter((cell) => !execution.cells[cell]?.internal).map((cell) => (
        <Queue
          key={cell}
          view={view}
          stores={stores.filter((store) => execution.steps[store]!.cell === cell)}
          leaving={leaving !== undefined && execution.steps[leaving]!.cell === cell ? leaving : undefined}
          label={`Buffer of ${name} for ${execution.cells[cell]?.name}`}
          cell={execution.cells[cell]?.name}
        />
      ))}
    </div>
  );
}

// Names that a compiler made up tell nobody anything.
const isReadable = (register: string) => /^[A-Za-z_]\w*$/.test(register);

function Registers({ view, thread }: { view: View; thread: number }) {
  const before = view.before.registers[thread]!;
  const entries = [...view.state.registers[thread]!].filter(([name]) => isReadable(name)).slice(-6);
  if (entries.length === 0) return null;
  return (
    <dl class="registers" aria-label={`Registers of ${view.page.threads[thread]}`}>
      {entries.map(([name, value]) => (
        <div class={before.get(name) !== value ? 'changed' : ''}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Memory({ view }: { view: View }) {
  const cells = view.execution.cells.map((cell, index) => ({ ...cell, index })).filter((cell) => !cell.internal);
  const now = view.step?.memory !== undefined ? view.step.cell : undefined;
  return (
    <div class="memory">
      <h3>Memory</h3>
      <dl>
        {cells.map((cell) => {
          const value = view.state.memory[cell.index];
          const before = view.before.memory[cell.index];
          const changed = value !== before || now === cell.index;
          return (
            <div class={changed ? 'changed' : ''} data-cell={cell.name}>
              <dt>{cell.name}</dt>
              <dd>
                {changed && before !== value && <s aria-label="before">{before}</s>}
                <b>{value}</b>
              </dd>
            </div>
          );
        })}
      </dl>
      {cells.length === 0 && <p class="quiet">nothing shared</p>}
    </div>
  );
}

export function MachinePanel({ view }: { view: View }) {
  const { threads } = factsOf(view.execution);
  const buffers = view.execution.model !== 'sc';
  return (
    <section class="panel machine" aria-label="Machine">
      <header>
        <h2>Machine</h2>
        <span class="quiet">{buffers ? 'stores wait in buffers, oldest on the right' : 'stores go straight to memory'}</span>
      </header>
      <div class="scroll machine-body">
        <ul class="threads">
          {threads.map((thread) => {
            const name = view.page.threads[thread]!;
            const active = view.step?.thread === thread;
            const last = view.execution.steps[view.state.told[thread]!];
            return (
              <li class={active ? 'active' : ''} style={{ '--colour': threadColour(thread) }} data-thread={name}>
                <div class="who">
                  <span class="name">{name}</span>
                  <span class="doing">{active ? view.step!.text : (last?.text ?? (view.state.last[thread] === -1 ? 'not started' : ''))}</span>
                </div>
                <Buffer view={view} thread={thread} />
                <Registers view={view} thread={thread} />
              </li>
            );
          })}
        </ul>
        <Memory view={view} />
      </div>
    </section>
  );
}
