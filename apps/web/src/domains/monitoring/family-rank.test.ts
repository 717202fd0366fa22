import { expect, test } from 'vitest'
import { rankScatter } from './family-rank.tsx'

const hostile = `1# <img src=x onerror=alert(1)><a href="//evil">机</a>`

test('the name of a machine makes no markup in a comparison', () => {
  const option = rankScatter([{ name: hostile, x: 1, y: 2, size: 8, isGrave: false, said: [hostile] }], { x: 'x', y: 'y' })
  const { formatter } = option.tooltip as { formatter: (point: { dataIndex: number }) => string }
  expect(formatter({ dataIndex: 0 }).replaceAll('<br/>', '')).not.toMatch(/[<>]/)
})
