import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { colors, kebab, panelColors } from './colors.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const hex = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b/gi

/** Illustrations may use colours of their own, which no other file uses. */
const pictures = [
  'domains/identity/illustration.tsx',
  'domains/home/site-picture.tsx',
  'domains/home/district-picture.tsx',
  'domains/monitoring/crane/crane-plan.tsx',
  'domains/monitoring/environment/environment-plan.tsx',
  'domains/monitoring/plan-view.tsx',
]
/** Files that define the colours of the four risk levels, colours derived from them, and map colours. */
const own = ['kit/colors.ts', 'kit/theme.ts', 'kit/format.ts', 'kit/map-canvas.tsx', 'domains/rules/level-card.tsx']

describe('colours', () => {
  test('the palette says the same to style sheets and to what draws by itself', () => {
    const sheet = read('kit/tokens.css')
    const [root = '', day = ''] = [sheet.slice(0, sheet.indexOf('[data-panels')), sheet.slice(sheet.indexOf('[data-panels'))]
    const named = (text: string) =>
      Object.fromEntries([...text.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, value]) => [name, full(value as string)]))
    const own = Object.entries(colors).map(([name, value]) => [kebab(name).replace(/(\d+)$/, '-$1'), value])
    const panel = (of: Record<string, string>) => Object.entries(of).map(([name, value]) => [`dark-${kebab(name)}`, value])
    expect(Object.fromEntries([...own, ...panel(panelColors.night)])).toEqual(named(root))
    expect(Object.fromEntries(panel(panelColors.day))).toEqual(named(day))
  })

  test.each(['night', 'day'] as const)(
    'every word of a live page can be read on each of its grounds by %s, whatever state a device is in',
    (time) => {
      const inks = [
        'text',
        'label',
        'accent',
        'fine',
        'warning',
        'alarm',
        'limit',
        'limitWarning',
        'stale',
        'gone',
        'running',
        'maintenance',
        'bright',
      ] as const
      const of = panelColors[time]
      const faint = inks.flatMap((ink) =>
        (['ground', 'head', 'raised', 'deep'] as const)
          .filter((ground) => contrast(of[ink], of[ground]) < leastContrast)
          .map((ground) => `${ink} on ${ground}: ${contrast(of[ink], of[ground]).toFixed(2)}`),
      )
      expect(faint).toEqual([])
    },
  )

  test('a style sheet names its colours: add one to kit/tokens.css and kit/colors.ts, or take the nearest', () => {
    const found = globSync('**/*.css', { cwd: root })
      .filter((path) => path !== 'kit/tokens.css')
      .flatMap((path) => (read(path).match(hex) ?? []).map((color) => `${path}: ${color}`))
    expect(found).toEqual([])
  })

  test('every name that is used is one of the palette', () => {
    const known = new Set([...read('kit/tokens.css').matchAll(/--([\w-]+):/g)].map(([, name]) => name))
    // Widths and rows that a component passes to its style sheet.
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

/** WCAG 2.2, 1.4.3: text below 18 pt. */
const leastContrast = 4.5

/** Contrast ratio of two colours `#RRGGBB` as WCAG 2.2 defines it, 1 to 21. */
function contrast(a: string, b: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [light = 0, deep = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (deep + 0.05)
}

function full(color: string): string {
  const digits = color.slice(1).toUpperCase()
  return `#${digits.length === 3 ? [...digits].map((d) => d + d).join('') : digits}`
}
