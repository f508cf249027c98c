// Pictures of the explorer page, for the documents and as a test: each must look like the one in docs/images. Edges of
// letters differ from one Chromium to the next, so it is the brightness of tiles that is compared: arrows without lines,
// or marks that are missing, make a difference in more tiles than may differ. Other fonts do, too, so the fonts of the
// pictures must be there. `make pictures` (WEIR_PICTURES=write) makes them anew.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { close, FOLDER, launch, open, pageOf, PNG, press, SOURCE } from './browser.mjs';

const STORED = join(SOURCE, 'docs/images');
const MADE = join(FOLDER, 'pictures');
const TILE = 32; // pixels
const BRIGHTNESS = 6; // of 255: the mean of a tile may differ so much
const TOLERANCE = 0.003; // of the tiles

before(launch);
after(close);
mkdirSync(MADE, { recursive: true });

const PICTURES = [
  {
    name: 'explorer-store-buffering',
    command: ['outcomes', 'examples/litmus/SB.litmus', '--model', 'sc,tso'],
    show: (page) => press(page, 'ArrowRight', 4),
  },
  {
    name: 'explorer-peterson',
    command: ['check', 'examples/c/peterson.c', '--model', 'tso'],
    show: (page) => press(page, 'ArrowRight', 15),
  },
  {
    name: 'explorer-robustness',
    command: ['robust', 'examples/simplified_dekker.imp', '--all'],
    show: async (page) => {
      await press(page, 'ArrowRight', 4);
      await press(page, 'w');
    },
  },
  {
    name: 'explorer-lasso',
    command: ['fair', 'examples/fairness/test_and_set_lock.imp', '--request', 'P0:3', '--grant', 'P0:5', '--model', 'tso'],
    options: { colorScheme: 'dark' },
    show: async (page) => {
      await press(page, 'End');
      await press(page, 'ArrowLeft', 6);
    },
  },
  {
    name: 'explorer-fences',
    command: ['fence', 'examples/c/peterson.c'],
    show: (page) => press(page, 'ArrowRight', 9),
  },
  {
    name: 'explorer-phone',
    command: ['check', 'examples/c/peterson.c', '--model', 'tso'],
    options: { viewport: { width: 390, height: 844 } },
    show: async (page) => {
      await press(page, 'ArrowRight', 18);
      await page.getByRole('button', { name: 'Machine', exact: true }).click();
    },
  },
];

// The pages of docs/gallery.md, each where it tells most: at the end.
const GALLERY = [
  ['lost-update.c', 'sc', ['light']],
  ['aba.c', 'sc', ['dark']],
  ['double-checked-locking.cpp', 'pso', ['light', 'dark', 'phone', 'phone-dark']],
  ['lost-wakeup.c', 'sc', ['light']],
  ['stolen-wakeup.c', 'sc', ['dark']],
  ['spurious-wakeup.cpp', 'sc', ['light']],
  ['lock-order.c', 'sc', ['light', 'dark', 'phone', 'phone-dark']],
  ['hazard-pointer.c', 'sc', ['dark']],
  ['seqlock.c', 'sc', ['light']],
  ['ring-buffer.c', 'pso', ['dark']],
];
for (const [file, model, looks] of GALLERY)
  for (const look of looks)
    PICTURES.push({
      name: `gallery-${file.replace(/\.\w+$/, '')}-${look}`,
      command: ['check', `examples/gallery/${file}`, '--model', model],
      options: {
        ...(look.endsWith('dark') ? { colorScheme: 'dark' } : {}),
        ...(look.startsWith('phone') ? { viewport: { width: 390, height: 844 } } : {}),
      },
      show: (page) => press(page, 'End'),
    });

function brightness(picture, left, top) {
  let sum = 0;
  for (let y = top; y < top + TILE; ++y)
    for (let x = left; x < left + TILE; ++x) {
      const at = 4 * (y * picture.width + x);
      sum += picture.data[at] + picture.data[at + 1] + picture.data[at + 2];
    }
  return sum / (3 * TILE * TILE);
}

// The share of tiles that differ.
function difference(made, stored) {
  if (made.width !== stored.width || made.height !== stored.height) return 1;
  let tiles = 0;
  let different = 0;
  for (let top = 0; top + TILE <= made.height; top += TILE)
    for (let left = 0; left + TILE <= made.width; left += TILE) {
      ++tiles;
      if (Math.abs(brightness(made, left, top) - brightness(stored, left, top)) > BRIGHTNESS) ++different;
    }
  return different / tiles;
}

function hasFonts() {
  try {
    const list = execFileSync('fc-list', [':', 'family'], { encoding: 'utf8' });
    return /^Inter$|^Inter,/m.test(list) && /JetBrains Mono/.test(list);
  } catch {
    return false;
  }
}

for (const { name, command, options, show } of PICTURES)
  test(`${name} looks as it did`, async (context) => {
    const { page, problems, done } = await open(pageOf(name, ...command), options);
    await show(page);
    await page.mouse.move(0, 0);
    const bytes = await page.screenshot({ animations: 'disabled' });
    await done();
    assert.deepEqual(problems, []);
    writeFileSync(join(MADE, `${name}.png`), bytes);
    if (process.env['WEIR_PICTURES'] === 'write') return writeFileSync(join(STORED, `${name}.png`), bytes);
    if (!hasFonts()) return context.skip('Inter or JetBrains Mono is not installed');
    const share = difference(PNG.sync.read(bytes), PNG.sync.read(readFileSync(join(STORED, `${name}.png`))));
    assert.ok(share <= TOLERANCE, `${(100 * share).toFixed(1)} % of the tiles differ; the picture is ${join(MADE, name)}.png`);
  });
