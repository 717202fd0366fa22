import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tooltipLines } from './tooltip.ts'

const root = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const hostile = `1# <img src=x onerror=alert(1)><a href="//evil">机</a>`

test('what is said in a tooltip is text, whatever it contains', () => {
  expect(tooltipLines(hostile, `第二行 & '引号'`)).toBe(
    '1# &lt;img src=x onerror=alert(1)&gt;&lt;a href=&quot;//evil&quot;&gt;机&lt;/a&gt;<br/>第二行 &amp; &#39;引号&#39;',
  )
})

/** The text in braces that begins at `from`, including the braces. */
function block(text: string, from: number): string {
  let depth = 0
  for (let at = text.indexOf('{', from); at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return text.slice(from, at + 1)
  }
  return text.slice(from)
}
const unescaped = (text: string): boolean =>
  [...text.matchAll(/\btooltip: \{/g)]
    .map((match) => block(text, match.index))
    .some((tooltip) => /\bformatter\b/.test(tooltip) && !tooltip.includes('tooltipLines('))

/**
 * Files that may write markup: `truck-state.ts` writes GPX tracks for other programs and escapes the name, `rich-text.tsx` shows what the
 * server filtered.
 */
const otherMarkup = new Set([
  join('kit', 'rich-text.tsx'),
  join('kit', 'tooltip.ts'),
  join('domains', 'monitoring', 'vehicle', 'truck-state.ts'),
])
const uncommented = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '')

test('every tooltip that is put together by hand goes through the one helper, and nothing else writes markup', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter(({ text }) => unescaped(text)).map(({ path }) => path)).toEqual([])
  const markup = /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(|\.setHTML\(|['"`]<\/?[a-z][^'"`]*>/
  const writers = sources.filter(({ path, text }) => !otherMarkup.has(path) && markup.test(uncommented(text))).map(({ path }) => path)
  expect(writers).toEqual([])
})

test('a formatter that joins names by itself is found', () => {
  expect(unescaped('{ tooltip: { trigger: "item", formatter: (p) => { return p.name } } }')).toBe(true)
  expect(unescaped('{ tooltip: { formatter: (p) => tooltipLines(p.name) } }')).toBe(false)
  expect(unescaped('{ tooltip: { trigger: "axis" }, series: [{ label: { formatter: one.name } }] }')).toBe(false)
})
