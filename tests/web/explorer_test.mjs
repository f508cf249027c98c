// The explorer page in a real Chromium: what it shows is what Weir found, by keys, slider and buttons, in light and
// dark, on a desk and on a phone; and it needs nothing but its own file.
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { close, dataOf, launch, machineOf, open, pageOf, PAGES, press, weir } from './browser.mjs';

before(launch);
after(close);

const STORE_BUFFERING = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r1, r2;
void *a(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
void *b(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, a, 0);
  pthread_create(&q, 0, b, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  return 0;
}
`;

const DEKKER = 'examples/simplified_dekker.imp';
const PETERSON = 'examples/c/peterson.c';
const dekker = () => pageOf('dekker', 'check', DEKKER, '--model', 'tso');
const attacks = () => pageOf('attacks', 'robust', DEKKER, '--all');
const lasso = () => pageOf('lasso', 'fair', 'examples/fairness/test_and_set_lock.imp', '--request', 'P0:3', '--grant', 'P0:5', '--model', 'tso');

test('every command writes a page that loads without an error and without a network', async () => {
  const witness = join(PAGES, 'dekker.json');
  weir('check', DEKKER, '--model', 'tso', '-q', '--witness', witness);
  const pages = [
    [dekker(), 1],
    [attacks(), 4],
    [lasso(), 1],
    [pageOf('peterson', 'check', PETERSON, '--model', 'tso'), 1],
    [pageOf('pso', 'check', DEKKER, '--model', 'pso'), 1],
    [pageOf('safe', 'check', DEKKER, '--model', 'sc'), 0],
    [pageOf('fenced', 'check', 'examples/simplified_dekker_fenced.imp', '--model', 'tso'), 0],
    [pageOf('fences', 'fence', PETERSON), 1],
    [pageOf('explore', 'explore', PETERSON, '--model', 'tso', '--stop'), 1],
    [pageOf('outcomes', 'outcomes', 'examples/litmus/SB.litmus', '--model', 'sc,tso'), 4],
    [pageOf('replay', 'replay', witness), 1],
    [pageOf('explain', 'explain', witness), 1],
    [pageOf('consistent', 'consistent', 'examples/consistency/store_buffering.json', '--model', 'tso'), 1],
    [pageOf('inconsistent', 'consistent', 'examples/consistency/store_buffering.json', '--model', 'sc'), 0],
  ];
  for (const [path, executions] of pages) {
    assert.equal(dataOf(path).executions.length, executions, path);
    const { page, problems, done } = await open(path);
    assert.equal(await page.locator('.verdict').textContent(), dataOf(path).headline);
    await press(page, 'ArrowRight', 2);
    await press(page, 'End');
    assert.deepEqual(problems, [], path);
    assert.ok(statSync(path).size < 2_000_000, path);
    await done();
  }
});

// In words, as far as the answer has them: "true" where the value is 1.
const valueOf = (step) => step.text?.match(/ = (.*?)(?: \(to buffer\))?$/)?.[1] ?? String(step.value);
const writtenOf = (step) => step.text?.match(/, write (.*)$/)?.[1] ?? String(step.written);

// "t1 (worker)"
function threadOf(answer, step) {
  const known = answer.threads?.find(({ name }) => name === step.thread)?.function;
  return known && known !== step.thread ? `${step.thread} (${known})` : step.thread;
}

// Adds up the witness of the JSON answer.
function expectedStates(answer) {
  const buffers = {};
  const memory = {};
  return answer.witness.map((step) => {
    const value = valueOf(step);
    const entry = `${step.address}=${value}`;
    const buffer = (buffers[threadOf(answer, step)] ??= []);
    if (step.action === 'store' && step.buffered) buffer.push(entry);
    if (step.action === 'flush') buffer.splice(buffer.indexOf(entry), 1);
    if (step.action === 'flush' || (step.action === 'store' && !step.buffered)) memory[step.address] = value;
    if (step.action === 'rmw' && step.written !== undefined) memory[step.address] = writtenOf(step);
    return structuredClone({ buffers, memory });
  });
}

for (const [name, ...command] of [
  ['dekker', 'check', DEKKER, '--model', 'tso'],
  ['peterson', 'check', PETERSON, '--model', 'tso'],
  ['pso', 'check', DEKKER, '--model', 'pso'],
  ['attacks', 'robust', DEKKER, '--all'],
  ['consistent', 'consistent', 'examples/consistency/store_buffering.json', '--model', 'tso'],
])
  test(`buffers and memory are those of the JSON answer at every step: ${name}`, async () => {
    const answer = JSON.parse(weir(...command, '--json'));
    const expected = expectedStates(answer);
    const { page, done } = await open(pageOf(name, ...command));
    let waiting = 0;
    for (const state of expected) {
      await press(page, 'ArrowRight');
      const shown = await machineOf(page);
      for (const [thread, buffer] of Object.entries(state.buffers)) {
        // Under PSO the page has a queue for each variable, and their order means nothing.
        const order = (entries) => (name === 'pso' ? [...entries].sort() : entries);
        assert.deepEqual(order(shown.buffers[thread]), order(buffer), `${shown.step} of ${thread}`);
        waiting += buffer.length;
      }
      for (const [cell, value] of Object.entries(state.memory))
        if (cell in shown.memory) assert.equal(shown.memory[cell], value, `${shown.step}: ${cell}`);
    }
    assert.ok(waiting > 0, 'a buffer was filled');
    assert.ok(await page.getByRole('button', { name: 'Step (right arrow)' }).isDisabled());
    await done();
  });

test('keys, buttons, slider and list lead to the same steps', async () => {
  const { page, done } = await open(dekker());
  const count = () => page.locator('.count').innerText();
  const start = await count();
  await press(page, 'ArrowRight', 3);
  const third = await count();
  assert.notEqual(third, start);
  await press(page, 'Home');
  assert.equal(await count(), start);
  for (let i = 0; i < 3; ++i) await page.getByRole('button', { name: 'Step (right arrow)' }).click();
  assert.equal(await count(), third);
  await page.getByRole('slider').fill('1');
  await page.getByRole('slider').fill('3');
  assert.equal(await count(), third);
  await press(page, 'End');
  const end = await count();
  await page.locator('.step').nth(2).locator('button').click();
  assert.equal(await count(), third);
  await press(page, 'ArrowLeft');
  assert.notEqual(await count(), third);
  await press(page, 'PageDown');
  assert.equal(await count(), end);
  assert.match(await page.getByRole('slider').getAttribute('aria-valuetext'), /P[01]: /);
  await done();
});

test('playing goes on by itself and stops at the end', async () => {
  const { page, done } = await open(dekker());
  await press(page, 'End');
  await press(page, 'ArrowLeft');
  await press(page, ' ');
  await page.waitForFunction(() => document.querySelector('.step.current:last-child'), undefined, { timeout: 5000 });
  await page.getByRole('button', { name: 'Play (space)' }).waitFor({ timeout: 5000 });
  await done();
});

test('the source marks the line of each thread', async () => {
  const { page, done } = await open(dekker());
  const data = dataOf(dekker());
  const steps = data.executions[0].steps;
  await press(page, 'End');
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll('.mark:not(.hovered):not(.bad)')].map((mark) => {
      const row = document.querySelectorAll('.lines li')[Math.round(parseFloat(mark.style.top) / 21)]; // fences are rows, too
      return Number(row.querySelector('.line-number').textContent);
    }),
  );
  for (const thread of [0, 1]) {
    const last = steps.filter((step) => step.thread === thread && step.action !== 'flush').pop();
    assert.ok(rows.includes(last.line), `line ${last.line} of thread ${thread} in ${rows}`);
  }
  await done();
});

test('the graph has the accesses and relations of the execution, and its cycle', async () => {
  const { page, done } = await open(attacks());
  const data = dataOf(attacks()).executions[0];
  const answer = JSON.parse(weir('robust', DEKKER, '--json'));
  const edges = () => page.evaluate(() => [...document.querySelectorAll('[data-edge]')].map((edge) => edge.dataset.edge).sort());
  const expected = data.edges.map((edge) => `${edge.from}-${edge.relation}-${edge.to}`).sort();
  assert.deepEqual(await edges(), expected);
  assert.equal(await page.locator('.node').count(), data.events.length);
  assert.equal(await page.locator('.edge.in-cycle').count(), answer.attacks[0].cycle.length);
  await page.getByRole('button', { name: 'ghb' }).click();
  assert.deepEqual((await edges()).filter((edge) => edge.includes('ghb')).length, data.globalOrder.length);
  await page.getByRole('button', { name: 'ghb' }).click();
  const relation = data.edges.find((edge) => !data.cycle.some((other) => other.from === edge.from && other.to === edge.to));
  if (relation) {
    await page.locator(`.chip.${relation.relation}`).click();
    assert.ok(!(await edges()).includes(`${relation.from}-${relation.relation}-${relation.to}`));
  }
  await done();
});

test('the switch says why sequential consistency forbids it', async () => {
  const { page, done } = await open(attacks());
  const cycle = dataOf(attacks()).executions[0].cycle;
  await page.getByRole('switch').click();
  const sentences = await page.locator('.reason').allInnerTexts();
  assert.equal(sentences.length, cycle.length);
  assert.match(sentences[0], /^po\s+P0 writes flag_0 = 1 \(line 9\), then P0 reads flag_1 = 0 \(line 10\)/);
  assert.match(await page.locator('.instead').first().innerText(), /waited in its buffer .* A fence between them, before line 10, would stop this/);
  await page.locator('.reason').first().hover();
  assert.equal(await page.locator('.edge.chosen').count(), 1);
  await press(page, 'w');
  assert.equal(await page.locator('.reason').count(), 0);
  await done();
});

test('an execution that SC has, too, is not said to be forbidden', async () => {
  const { page, done } = await open(lasso());
  assert.equal(await page.getByRole('switch').count(), 0);
  assert.match(await page.locator('.graph').innerText(), /SC allows it/);
  await done();
});

test('pointing at an access shows its step, its line and what it is related to', async () => {
  const { page, done } = await open(attacks());
  const data = dataOf(attacks()).executions[0];
  await page.locator('[data-event="0"]').hover();
  const step = data.steps[data.events[0].step];
  assert.equal(await page.locator('.step.hovered .number').innerText(), String(step.n));
  const row = await page.locator('.mark.hovered').evaluate((mark) => parseFloat(mark.style.top) / 21 + 1);
  assert.equal(row, step.line);
  const related = data.edges.filter((edge) => edge.from === 0 || edge.to === 0).length;
  assert.equal(await page.locator('.edge.touches').count(), related);
  await page.locator('[data-event="1"]').focus();
  await press(page, 'Enter');
  assert.equal(await page.locator('.node.current').getAttribute('data-event'), '1');
  await done();
});

test('filters by thread, variable and local steps', async () => {
  const { page, done } = await open(dekker());
  const data = dataOf(dekker()).executions[0];
  const numbers = () => page.locator('.step .number').allInnerTexts();
  const of = (test) => data.steps.filter(test).map((step) => String(step.n));
  assert.deepEqual(await numbers(), of((step) => !step.local));
  await page.locator('.filters .chip', { hasText: 'P0' }).click();
  assert.deepEqual(await numbers(), of((step) => !step.local && step.thread === 1));
  await page.locator('.filters .chip', { hasText: 'P0' }).click();
  await page.getByLabel('Only steps about').selectOption({ label: 'flag_1' });
  assert.deepEqual(await numbers(), of((step) => !step.local && data.cells[step.cell]?.name === 'flag_1'));
  await page.getByLabel('Only steps about').selectOption('');
  await page.getByLabel('local').check();
  assert.deepEqual(await numbers(), of(() => true));
  await done();
});

test('several executions are told apart', async () => {
  const { page, done } = await open(pageOf('outcomes', 'outcomes', 'examples/litmus/SB.litmus', '--model', 'sc,tso'));
  const tabs = page.locator('.executions button');
  assert.equal(await tabs.count(), 4);
  assert.match(await tabs.first().innerText(), /0:EAX=0, 1:EAX=0/);
  assert.equal(await tabs.first().locator('.models').innerText(), 'TSO');
  assert.equal(await page.getByRole('switch').count(), 1);
  await tabs.nth(1).click();
  assert.equal(await page.getByRole('switch').count(), 0);
  await press(page, 'n', 3);
  assert.equal(await tabs.first().getAttribute('aria-pressed'), 'true');
  await done();
});

test('fences stand in the source where they go', async () => {
  const path = pageOf('fences', 'fence', PETERSON);
  const answer = JSON.parse(weir('fence', PETERSON, '--json'));
  const { page, done } = await open(path);
  const next = await page.evaluate(() =>
    [...document.querySelectorAll('.fence-row')].map((row) => Number(row.nextElementSibling.querySelector('.line-number').textContent)),
  );
  assert.deepEqual(next, answer.fences.map((fence) => fence.line));
  await page.getByLabel('fences').uncheck();
  assert.equal(await page.locator('.fence-row').count(), 0);
  await done();
});

// Line and text of each fence that the page shows.
const fencesOf = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.fence-row')].map((row) => [
      Number(row.nextElementSibling.querySelector('.line-number').textContent),
      row.querySelector('code').firstChild.textContent.trim(),
    ]),
  );

for (const [name, ...command] of [
  ['attacks', 'robust', DEKKER, '--all'],
  ['peterson', 'check', PETERSON, '--model', 'tso'],
  ['pso', 'check', DEKKER, '--model', 'pso'],
])
  test(`what goes wrong is shown with the fences that stop it: ${name}`, async () => {
    const options = command[0] === 'robust' ? [] : ['--for', 'safety', ...command.slice(2)];
    const expected = JSON.parse(weir('fence', command[1], ...options, '--json')).fences;
    const text = command[1].endsWith('.c') ? 'atomic_thread_fence(memory_order_seq_cst);' : 'fence';
    const { page, done } = await open(pageOf(name, ...command));
    assert.ok(expected.length > 0);
    assert.deepEqual(await fencesOf(page), expected.map((fence) => [fence.line, text]));
    await done();
  });

test('a violation that needs no buffer has no fences, and says what to try', async () => {
  const { page, done } = await open(pageOf('plain', 'check', 'tests/c/conformance/race_plain.c', '--races', '--model', 'tso'));
  assert.equal(await page.locator('.fence-row').count(), 0);
  assert.match(await page.locator('.next').innerText(), /weir check \S+ --model sc --races/);
  await done();
});

test('a race is shown with both accesses', async () => {
  const path = pageOf('race', 'check', 'tests/c/conformance/race_plain.c', '--races');
  const { accesses } = dataOf(path).executions[0].violation;
  assert.equal(accesses.length, 2);
  assert.notEqual(accesses[0].thread, accesses[1].thread);
  const { page, done } = await open(path);
  assert.match(await page.locator('.asked').innerText(), /--races/);
  assert.equal(await page.locator('.bad-note').count(), 0);
  await press(page, 'End');
  const notes = await page.locator('.bad-note').allInnerTexts();
  assert.deepEqual(notes.sort(), accesses.map(({ thread, text }) => `${dataOf(path).threads[thread]} ${text}`).sort());
  await done();
});

test('no arrow runs through a box', async () => {
  const pages = [
    attacks(),
    pageOf('peterson', 'check', PETERSON, '--model', 'tso'),
    pageOf('lamport', 'robust', 'examples/lamport3.imp'),
    pageOf('iriw', 'outcomes', 'examples/litmus/IRIW.litmus'),
    pageOf('deque', 'check', 'examples/c/chase-lev-deque.c', '--model', 'tso'),
  ];
  for (const path of pages) {
    const { page, done } = await open(path);
    const crossed = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.node')].map((node) => {
        const [x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(node.getAttribute('transform')).slice(1).map(Number);
        const rect = node.querySelector('rect');
        return { event: node.dataset.event, x, y, width: rect.width.baseVal.value / 2 - 1, height: rect.height.baseVal.value / 2 - 1 };
      });
      const found = [];
      for (const edge of document.querySelectorAll('[data-edge]')) {
        const path = edge.querySelector('path');
        const length = path.getTotalLength();
        for (let at = 0; at <= length; at += 3) {
          const { x, y } = path.getPointAtLength(at);
          for (const box of boxes)
            if (Math.abs(x - box.x) < box.width && Math.abs(y - box.y) < box.height) found.push(`${edge.dataset.edge} in ${box.event}`);
        }
      }
      return [...new Set(found)];
    });
    assert.ok((await page.locator('[data-edge]').count()) > 3, path);
    assert.deepEqual(crossed, [], path);
    await done();
  }
});

test('the graph can have most of the page', async () => {
  const { page, done } = await open(pageOf('peterson', 'check', PETERSON, '--model', 'tso'));
  const width = () => page.locator('.panel.graph').evaluate((panel) => panel.getBoundingClientRect().width);
  const small = await width();
  await press(page, 'g');
  assert.ok((await width()) > 1.6 * small);
  assert.equal(await page.locator('.explorer > .panel:visible').count(), 2);
  await press(page, 'w');
  assert.ok(await page.locator('.panel.why').isVisible());
  await page.getByRole('button', { name: 'Large graph (G)' }).click();
  assert.equal(await width(), small);
  await done();
});

test('of very many executions there is a list', async () => {
  const path = pageOf('many', 'robust', 'examples/lamport3.imp', '--all');
  const count = dataOf(path).executions.length;
  assert.ok(count > 8);
  const { page, done } = await open(path);
  const list = page.getByLabel('Execution', { exact: true });
  assert.equal(await list.locator('option').count(), count);
  await list.selectOption('2');
  await press(page, 'Tab');
  await press(page, 'n');
  assert.equal(await list.inputValue(), '3');
  await page.getByRole('button', { name: 'The execution before this one' }).click();
  assert.equal(await list.inputValue(), '2');
  await done();
});

function outcomesOfC() {
  const program = join(PAGES, 'sb.c');
  writeFileSync(program, STORE_BUFFERING);
  return pageOf('c-outcomes', 'outcomes', program, '--model', 'sc,tso');
}

test('the outcomes of a C program, one execution for each', async () => {
  const path = outcomesOfC();
  const executions = dataOf(path).executions;
  assert.deepEqual(
    executions.map(({ title, allowedBy }) => [title, allowedBy.join()]).sort(),
    [['x=1, y=1, r1=0, r2=0', 'tso'], ...[['0', '1'], ['1', '0'], ['1', '1']].map(([a, b]) => [`x=1, y=1, r1=${a}, r2=${b}`, 'sc,tso'])],
  );
  for (let number = 0; number < executions.length; ++number) {
    const { page, done } = await open(path);
    await press(page, 'n', number);
    await press(page, 'End');
    const { memory } = await machineOf(page);
    for (const [name, value] of executions[number].title.split(', ').map((part) => part.split('=')))
      if (name in memory) assert.equal(memory[name], value, executions[number].title);
    assert.equal(await page.getByRole('switch').count(), executions[number].allowedBy.includes('sc') ? 0 : 1);
    await done();
  }
});

test('a key right after another is for what that one has brought', async () => {
  const { page, done } = await open(outcomesOfC());
  // Both before the page is painted again; what the first one changes is drawn in a microtask.
  await page.evaluate(async () => {
    for (const key of ['n', 'End']) {
      dispatchEvent(new KeyboardEvent('keydown', { key }));
      await Promise.resolve().then(() => undefined);
    }
  });
  assert.ok(await page.getByRole('button', { name: 'Step (right arrow)' }).isDisabled());
  await done();
});

test('an array system: the processes that it takes, and what they write', async () => {
  const path = pageOf('array', 'check', 'examples/array/mesi_bug.cub');
  const answer = JSON.parse(weir('check', 'examples/array/mesi_bug.cub', '--json'));
  const { page, problems, done } = await open(path);
  assert.equal(await page.locator('.graph').count(), 0);
  for (const step of answer.witness) {
    await press(page, 'ArrowRight');
    const { memory } = await machineOf(page);
    for (const [cell, value] of step.effect.split(', ').map((write) => write.split(' := '))) assert.equal(memory[cell], value);
  }
  assert.ok(await page.getByRole('button', { name: 'Step (right arrow)' }).isDisabled());
  assert.deepEqual(problems, []);
  await done();
});

test('an array system with buffers: they fill and drain', async () => {
  const { page, done } = await open(pageOf('weak-array', 'check', 'bench/array/naive_mutex_unsafe.cub'));
  const data = dataOf(pageOf('weak-array')).executions[0];
  assert.equal(data.model, 'tso');
  assert.ok(data.steps.some((step) => step.buffered));
  const waiting = [];
  for (const stop of data.steps.filter((step) => !step.local)) {
    await press(page, 'ArrowRight');
    waiting.push(Object.values((await machineOf(page)).buffers).flat().length);
    assert.ok(stop.text.length > 0);
  }
  assert.ok(Math.max(...waiting) > 0);
  await done();
});

test('a lasso goes round, and comes back to the same state', async () => {
  const { page, done } = await open(lasso());
  const loop = dataOf(lasso()).executions[0].loop;
  assert.equal(await page.locator('.lasso').count(), 1);
  await page.getByRole('button', { name: 'To the start of the loop' }).click();
  const entry = await machineOf(page);
  await press(page, 'End');
  const end = await machineOf(page);
  assert.deepEqual(end.buffers, entry.buffers);
  assert.deepEqual(end.memory, entry.memory);
  assert.match(await page.locator('.timeline').innerText(), /round 1 of the loop/);
  await press(page, 'ArrowRight');
  assert.match(await page.locator('.timeline').innerText(), /round 2 of the loop/);
  assert.ok(Number((await page.locator('.step.current .number').innerText())) > loop);
  await done();
});

test('a safe answer has no dead controls', async () => {
  const { page, done } = await open(pageOf('fenced', 'check', 'examples/simplified_dekker_fenced.imp', '--model', 'tso'));
  assert.equal(await page.getByRole('slider').count(), 0);
  assert.equal(await page.locator('.buttons, .graph, .machine').count(), 0);
  assert.match(await page.locator('.findings').innerText(), /SAFE under tso/);
  assert.match(await page.locator('.source').innerText(), /process P0/);
  await done();
});

// Relative luminance and contrast, as WCAG 2 defines them.
const contrast = (page, selector) =>
  page.locator(selector).first().evaluate((element) => {
    const channels = (colour) => {
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => {
      const part = (value) => ((value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    let ground = element;
    while (channels(getComputedStyle(ground).backgroundColor)[3] !== 255) ground = ground.parentElement;
    const pair = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor].map((c) => luminance(channels(c)));
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  });

for (const scheme of ['light', 'dark'])
  test(`is readable in ${scheme}, follows the system and can be switched`, async () => {
    const { page, done } = await open(attacks(), { colorScheme: scheme });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), scheme);
    await press(page, 'ArrowRight', 3);
    for (const selector of ['.verdict', '.message', '.quiet', '.line-number', '.comment', '.keyword', '.entry', '.who .name',
                            '.memory dt', '.step .number', '.step .thread', '.changed dt', '.why-switch', '.tag'])
      if ((await page.locator(selector).count()) > 0)
        assert.ok((await contrast(page, selector)) >= 4.5, `${selector}: ${await contrast(page, selector)}`);
    await press(page, 't');
    assert.notEqual(await theme(), scheme);
    await done();
  });

for (const [width, height] of [[390, 844], [1280, 800], [1920, 1080]])
  test(`fits ${width} by ${height}`, async () => {
    const { page, done } = await open(pageOf('peterson', 'check', PETERSON, '--model', 'tso'), { viewport: { width, height } });
    await press(page, 'ArrowRight', 9);
    const overflow = () =>
      page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
    assert.deepEqual(await overflow(), [0, 0]);
    const panels = page.locator('.explorer > .panel:visible');
    if (width > 860) {
      assert.equal(await panels.count(), 4);
    } else {
      for (const name of ['Machine', 'Graph', 'Steps', 'Source']) {
        await page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button', { name }).click();
        assert.equal(await panels.count(), 1);
        assert.equal(await panels.locator('h2').innerText(), name === 'Source' ? PETERSON : name);
        assert.deepEqual(await overflow(), [0, 0], name);
      }
    }
    const slider = await page.getByRole('slider').boundingBox();
    assert.ok(slider.y + slider.height <= height && slider.width > 200);
    await done();
  });

test('everything that can be used has a name and can be reached by keyboard', async () => {
  const { page, done } = await open(attacks());
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, [role=button], [tabindex]')]
      .filter((element) => {
        const label = element.closest('label')?.textContent;
        return !(element.getAttribute('aria-label') || label || element.textContent.trim());
      })
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  assert.deepEqual(nameless, []);
  assert.equal(await page.locator('h1').count(), 1);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  const reached = new Set();
  for (let i = 0; i < 60; ++i) {
    await press(page, 'Tab');
    reached.add(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element.closest('[aria-label]') ? element.closest('section, footer, nav, header')?.className : element.tagName;
      }),
    );
  }
  for (const part of ['executions', 'panel source', 'panel graph', 'panel steps', 'timeline'])
    assert.ok([...reached].some((name) => String(name).includes(part)), `${part} in ${[...reached]}`);
  await done();
});

// Two threads that hand a token to each other.
function longProgram(rounds) {
  return `weir 1
shared turn
shared data
function first()
  register n
  register r
  s:
    n := n + 1 -> a
  a:
    store data := n -> b
  b:
    store turn := 1 -> c
  c:
    r := load turn -> d
  d:
    assume r == 1 -> c
    assume r == 0 && n < ${rounds} -> s
    assume r == 0 && n >= ${rounds} -> e
  e:
    assert 0 == 1, "</script><script>alert(1)</script> it ends" -> f
  f:
end
function second()
  register r
  register v
  s:
    r := load turn -> a
  a:
    assume r == 0 -> s
    assume r == 1 -> b
  b:
    v := load data -> c
  c:
    store turn := 0 -> s
end
thread A = first()
thread B = second()
`;
}

test('two thousand steps stay smooth, and nothing in the data is run', async () => {
  const program = join(PAGES, 'long.weir');
  writeFileSync(program, longProgram(185));
  const path = pageOf('long', 'check', program, '--model', 'tso');
  const steps = dataOf(path).executions[0].steps.length;
  assert.ok(steps >= 2000, `${steps} steps`);
  assert.ok(statSync(path).size < 2_000_000);
  const { page, problems, done } = await open(path, { busy: false });
  assert.match(await page.locator('.message').innerText(), /<\/script><script>alert\(1\)<\/script> it ends/);
  const measure = (key, times) =>
    page.evaluate(
      async ([name, count]) => {
        const costs = [];
        for (let i = 0; i < count; ++i) {
          const begin = performance.now();
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
          await new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
          document.body.getBoundingClientRect(); // style and layout
          costs.push(performance.now() - begin);
          await new Promise((resolve) => setTimeout(resolve));
        }
        return costs.sort((a, b) => a - b)[Math.floor(count / 4)];
      },
      [key, times],
    );
  // The lower quarter, and the best of three: others may want the processor, too.
  const cost = async (key) => Math.min(await measure(key, 60), await measure(key, 60), await measure(key, 60));
  const before = await page.locator('.count').innerText();
  const forward = await cost('ArrowRight');
  assert.notEqual(await page.locator('.count').innerText(), before);
  await press(page, 'End');
  const back = await cost('ArrowLeft');
  console.log(`a step takes ${forward.toFixed(1)} ms at the start and ${back.toFixed(1)} ms at the end of ${steps}`);
  assert.ok(forward < 16 && back < 16, `${forward} ms, ${back} ms`);
  assert.ok((await page.locator('.step').count()) < 100, 'only the steps that can be seen are in the document');
  assert.ok((await page.locator('.node').count()) < 100, 'and so are the accesses');
  assert.deepEqual(problems, []);
  await done();
});
