import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { colors, dark } from './colors.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const hex = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b/gi

/** Pictures of things have the things' own paints, which no other place shares. */
const pictures = [
  'domains/identity/illustration.tsx',
  'domains/home/site-picture.tsx',
  'domains/home/district-picture.tsx',
  'domains/monitoring/crane-plan.tsx',
  'domains/monitoring/environment-plan.tsx',
  'domains/monitoring/plan-view.tsx',
]
/** Colours of the four levels as the trade has them, and what is derived from them; maps. */
const own = ['kit/colors.ts', 'kit/theme.ts', 'kit/format.ts', 'kit/map-canvas.tsx', 'domains/rules/level-card.tsx']

describe('colours', () => {
  test('the palette says the same to style sheets and to what draws by itself', () => {
    const named = Object.fromEntries(
      [...read('kit/tokens.css').matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, value]) => [name, full(value as string)]),
    )
    const kebab = (name: string) => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`).replace(/(\d+)$/, '-$1')
    const own = Object.entries(colors).map(([name, value]) => [kebab(name), value])
    const night = Object.entries(dark).map(([name, value]) => [`dark-${kebab(name)}`, value])
    expect(Object.fromEntries([...own, ...night])).toEqual(named)
  })

  test('a style sheet names its colours: add one to kit/tokens.css and kit/colors.ts, or take the nearest', () => {
    const found = globSync('**/*.css', { cwd: root })
      .filter((path) => path !== 'kit/tokens.css')
      .flatMap((path) => (read(path).match(hex) ?? []).map((color) => `${path}: ${color}`))
    expect(found).toEqual([])
  })

  test('every name that is used is one of the palette', () => {
    const known = new Set([...read('kit/tokens.css').matchAll(/--([\w-]+):/g)].map(([, name]) => name))
    // Widths and rows that a component gives its own sheet.
    for (const path of globSync('**/*.tsx', { cwd: root })) for (const [, name] of read(path).matchAll(/'--([\w-]+)'/g)) known.add(name)
    const found = globSync('**/*.css', { cwd: root }).flatMap((path) => {
      const text = read(path)
      const local = new Set([...text.matchAll(/--([\w-]+):/g)].map(([, name]) => name))
      return [...text.matchAll(/var\(--([\w-]+)\)/g)]
        .map(([, name]) => name as string)
        .filter((name) => !known.has(name) && !local.has(name))
    })
    expect([...new Set(found)]).toEqual([])
  })

  test('pages take colours from kit/colors.ts; pictures alone have paints of their own', () => {
    const found = globSync(['domains/**/*.{ts,tsx}', 'app/**/*.{ts,tsx}', 'kit/**/*.{ts,tsx}'], { cwd: root })
      .filter((path) => !path.includes('.test.') && !pictures.includes(path) && !own.includes(path))
      .flatMap((path) => (read(path).match(/['"]#[0-9a-f]{6}['"]/gi) ?? []).map((color) => `${path}: ${color}`))
    expect(found).toEqual([])
  })
})

function full(color: string): string {
  const digits = color.slice(1).toUpperCase()
  return `#${digits.length === 3 ? [...digits].map((d) => d + d).join('') : digits}`
}
