import { describe, expect, test } from 'vitest'
import { driftOf, sentenceOf as ofCrane } from './crane/crane-analysis-page.tsx'
import { sentenceOf as ofAir } from './environment/environment-analysis-page.tsx'

const hours = Array.from({ length: 24 }, (_, hour) => ({
  hour,
  cycles: 10,
  working: 20,
  waiting: 40,
  off: 0,
  windWatch: hour >= 12 ? 30 : 5,
  windStop: 0,
  overMoment: hour === 14 ? 4 : hour === 15 ? 2 : 0,
}))
const month = {
  coverage: 98,
  cranes: 1,
  figures: { cycles: 240, workHours: 60, utilisation: 33.3, overMoment: 6, alarms: 5, alarmPer100: 2.1, simulated: 0, maintenanceHours: 0 },
  hours,
  spectrum: [],
  days: [],
  tilt: [
    { week: '2026-06-01', median: 0.31, samples: 80 },
    { week: '2026-06-08', median: 0.52, samples: 90 },
  ],
  overBy: [{ name: '周师傅', cycles: 6 }],
}

describe('what a month of a crane says', () => {
  test('when and by whom it was overloaded, and when it is calm', () =>
    expect(ofCrane(month)).toBe('本期 240 吊，利用率 33.3 %；超力矩 6 吊，最多在 14 至 15 时，周师傅 6 吊；白天风最小为 6 至 10 时'))
  test('that nothing was wrong, nothing lifted, or nothing measured', () => {
    expect(ofCrane({ ...month, figures: { ...month.figures, overMoment: 0 } })).toContain('没有超力矩')
    expect(ofCrane({ ...month, figures: { ...month.figures, cycles: 0 } })).toBe('本期没有吊装')
    expect(ofCrane({ ...month, coverage: 0, figures: { ...month.figures, cycles: 0 } })).toBe('本期没有数据')
  })
  test('how far its idle tilt moved', () => expect([driftOf(month), driftOf({ tilt: [] })]).toEqual([expect.closeTo(0.21), 0]))
})

describe('what a month of air says', () => {
  const air = {
    coverage: 90,
    byHour: [
      { weekday: 2, hour: 15, pm10: 168, pm25: 40, noise: 66 },
      { weekday: 3, hour: 3, pm10: null, pm25: null, noise: 50 },
    ],
    rose: [
      { direction: 225, pm10: 190, n: 12 },
      { direction: 0, pm10: 400, n: 1 },
    ],
    overHours: [
      { metric: 'pm10', hours: 7, limit: 150 },
      { metric: 'noise', hours: 0, limit: 70 },
    ],
    days: [],
    noise: { day: 1, dayOver: 0, night: 1, nightOver: 0, nightPermit: 0 },
    district: 60,
    devices: [],
  }
  test('when dust is worst, against the district, with which wind, and what was over', () =>
    expect(ofAir(air)).toBe('周二 15 时 PM10 最高，平均 168 μg/m³，比区域站高 108 μg/m³；西南风时 PM10 最高，190 μg/m³；超标 PM10 7 小时'))
  test('that there is nothing to say', () => {
    expect(ofAir({ ...air, byHour: [] })).toBe('本期没有有效小时')
    expect(ofAir({ ...air, byHour: [], coverage: 0 })).toBe('本期没有数据')
  })
})
