import { expect, test } from 'vitest'
import { runWords } from './linkage-runs.tsx'

const now = 1_795_000_000_000
const alarm = { id: 'a', label: 'PM10 报警', deviceName: '1# 站', level: 3, active: true }
const run = { state: 'running', confirmUntil: null, startTime: now - 120_000, maxUntil: now + 780_000, reason: '', alarms: [alarm] }

test.each([
  [run, /^因 1# 站 PM10 报警，已运行 2 分钟，最迟 \d\d:\d\d 停止$/],
  [{ ...run, alarms: [alarm, alarm], maxUntil: null }, /^因 1# 站 PM10 报警 等 2 条，已运行 2 分钟$/],
  [{ ...run, state: 'waitingConfirm', confirmUntil: now + 300_000 }, /，5 分钟内无人确认则不启动$/],
  [{ ...run, state: 'held', reason: '气温 1.2 ℃，低于 2 ℃' }, /，气温 1.2 ℃，低于 2 ℃$/],
  [{ ...run, state: 'held', alarms: [], reason: '' }, /^$/],
])('a run in words', (given, words) => {
  expect(runWords(given, now)).toMatch(words)
})
