import { expect, test } from 'vitest'
import { sentenceOf } from './helmet-words.ts'

const figures = { alarms: 0, sos: 0, falls: 0, averageResponseSeconds: null, wearingPercent: null }
const team = (name: string, wearingPercent: number | null, worstHour: number | null) => ({
  team: name,
  helmets: 4,
  hours: 90,
  wearingPercent,
  alarms: 0,
  worstHour,
})

test('one sentence names the team to train, the calls for help, and the alarm that cries wolf', () => {
  expect(sentenceOf({ coverage: 0, figures, teams: [], kinds: [] })).toBe('本期没有数据')
  expect(sentenceOf({ coverage: 90, figures, teams: [team('木工班', 100, null)], kinds: [] })).toBe('各班组都按要求佩戴；没有 SOS')
  expect(
    sentenceOf({
      coverage: 90,
      figures: { ...figures, alarms: 9, sos: 1 },
      teams: [team('钢筋班', 71, 13), team('木工班', 98, 9)],
      kinds: [{ alarmKey: 'fall', label: '跌落报警', count: 8, falseCount: 6, averageResponseSeconds: 40 }],
    }),
  ).toBe('钢筋班 佩戴率 71 %，最低，13 至 14 时最差；SOS 1 次；跌落报警误报 6 / 8，建议调整阈值')
})
