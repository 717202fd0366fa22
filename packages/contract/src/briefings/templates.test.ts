import { expect, test } from 'vitest'
import { mostContent } from './moves.ts'
import { briefingTemplates, contentOf, pointsOf, templatesFor, withPoints } from './templates.ts'

test('the template of the trade stands first, then that of the danger; every trade has one', () => {
  expect(templatesFor({ workType: '031' })[0]?.code).toBe('scaffold')
  expect(templatesFor({ category: '103' })[0]?.code).toBe('earth')
  expect(templatesFor({ workType: '999' }).at(-1)?.code).toBe('general')
  expect(templatesFor({})).toHaveLength(briefingTemplates.length)
})

test('points keep their order and are numbered anew when measures are inserted', () => {
  const content = contentOf({ points: ['系安全带', '戴安全帽'] })
  expect(content).toBe('1. 系安全带\n2. 戴安全帽')
  expect(pointsOf(`${content}\n\n3、专人监护`)).toEqual(['系安全带', '戴安全帽', '专人监护'])
  expect(withPoints('1. 系安全带', ['设警戒'])).toBe('1. 系安全带\n2. 设警戒')
  expect(pointsOf('2.5 m 以上系安全带')).toEqual(['2.5 m 以上系安全带'])
})

test('every template fits into a briefing', () => {
  for (const one of briefingTemplates) expect(contentOf(one).length, one.code).toBeLessThan(mostContent)
})
