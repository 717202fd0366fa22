import { expect, test } from 'vitest'
import { unjudgedWords } from './unjudged-words.ts'

const rule = (alarmLabel: string, unable: number, noSource = false) => ({ alarmLabel, unable, noSource })

test.each([
  ['one', [rule('大风告警', 2)], 2, '2 台设备上有 1 种告警不能判定（大风告警）'],
  ['several', [rule('大风告警', 2), rule('倾斜报警', 1)], 2, '2 台设备上有 2 种告警不能判定（大风告警等）'],
  ['none sends it', [rule('倾斜报警', 0, true)], 0, '1 种告警没有设备上报所需数据'],
  [
    'both',
    [rule('大风告警', 1), rule('倾斜报警', 0, true)],
    1,
    '1 台设备上有 1 种告警不能判定（大风告警）；另有 1 种告警没有设备上报所需数据',
  ],
])('what cannot be judged, in a line: %s', (_, list, devices, words) => expect(unjudgedWords({ list, counts: { devices } })).toBe(words))
