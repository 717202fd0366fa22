import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Patterns that pages must not use. Existing uses are tolerated; lower the number when some have been removed. */
const domains = join(import.meta.dirname, '../domains')
const sources = globSync('**/*.{ts,tsx}', { cwd: domains })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(domains, path), 'utf8') }))

const found = (pattern: RegExp) =>
  sources.flatMap(({ path, text }) => text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}`] : [])))

test.each([
  ['styles written into a page: give the element a class of the domain’s css, or take a part of the kit', /style=\{\{/, 49],
  ['codes as bare digits: name the code in the contract’s codes.ts and compare with its name', /[!=]== '\d+'/, 0],
  [
    'words for waiting beside words for nothing, which stand when a call has failed: put it into the kit’s Known',
    /(isPending|loading) \? '[^']*' : '[^']*(没有|暂无)/,
    0,
  ],
  [
    'strips that read figures from a call that may have failed: loading={!read.data}',
    /<(FigureStrip|FamilyRecord)[^>]*loading=\{\w+\.isPending\}|loading=\{(figures|counts)\.isPending\}/,
    0,
  ],
  [
    'counts of a call that stand as 0 before its answer: show `--`, nothing, or put them into the kit’s Known',
    /(?<![(.])\bdata\?\.(\w*[tT]otal|counts\.\w+|unread|taskCount) \?\? 0|(?<!\()\b\w+\.data\?\.(\w*[tT]otal|counts\.\w+|unread|taskCount) \?\? 0/,
    4,
  ],
  [
    'fields by a loose name: take Field, FieldList and useValue from formOf(call), or fieldsOf<Values>() of values that are converted',
    /import \{[^}]*\b(Field|FieldList|useFieldValue)\b[^}]*\} from '#kit\/form\.tsx'/,
    0,
  ],
  ['casts `as never`: type what is handed over, or say why it cannot be', /\bas never\b/, 2],
])('there are no more %s', (_, pattern, most) => {
  const places = found(pattern)
  expect(sources.length).toBeGreaterThan(300)
  expect(places.length, `\n${places.join('\n')}`).toBeLessThanOrEqual(most)
})

/** Maximum lines of a page; beyond that its parts belong in separate files. */
const longest = 400
test(`no file of a page is longer than ${longest} lines`, () => {
  expect(sources.filter(({ text }) => text.split('\n').length > longest).map(({ path }) => path)).toEqual([])
})
