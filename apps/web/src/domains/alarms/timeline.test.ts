import { expect, test } from 'vitest'
import { escalationWords, foldRepeats, noticeMoments } from './timeline.ts'

const row = (more: object) => ({
  id: 'x',
  kind: 'notify',
  step: 'open',
  stepName: '首次通知',
  channel: '2',
  channelName: '短信',
  receiverName: '王建国',
  state: 'sent',
  stateName: '已发送',
  result: '',
  time: '2026-11-20 14:32:07',
  sentTime: '2026-11-20 14:32:08',
  ...more,
})

test('one step of telling is one moment, failures apart and last', () => {
  const found = noticeMoments([
    row({ receiverName: '何秀峰', state: 'failed', stateName: '失败', result: '号码停机', sentTime: null }),
    row({}),
    row({ receiverName: '周立新', sentTime: '2026-11-20 14:32:20' }),
    row({ receiverName: '何秀峰', channel: '1', channelName: '站内消息' }),
    row({ kind: 'linkage', step: 'start', receiverName: '1# 喷淋' }),
    row({ step: 'escalate', stepName: '逐级上报', receiverName: '李总', time: '2026-11-20 14:37:07' }),
  ])
  expect(found.map(({ title, event, lines }) => ({ title, event, lines }))).toEqual([
    {
      title: '首次通知 3 人',
      event: 'notice',
      lines: [
        { text: '王建国、周立新 短信已发送', bad: false },
        { text: '何秀峰 站内消息已发送', bad: false },
        { text: '何秀峰 短信失败，号码停机', bad: true },
      ],
    },
    { title: '逐级上报 1 人', event: 'escalate', lines: [{ text: '李总 短信已发送', bad: false }] },
  ])
})

test('reminders that follow each other are folded, a step between them parts them, and a single one stays as it is', () => {
  const repeat = (time: string) => row({ step: 'repeat', stepName: '重复提醒', time, sentTime: null })
  const moments = noticeMoments([
    row({}),
    ...['14:40:07', '14:45:07', '14:50:07'].map((at) => repeat(`2026-11-20 ${at}`)),
    row({ step: 'escalate', stepName: '逐级上报', time: '2026-11-20 14:52:07' }),
    repeat('2026-11-20 14:55:07'),
  ])
  const found = foldRepeats(moments)
  expect(found.map((one) => [one.title, one.folded?.length ?? 0])).toEqual([
    ['首次通知 1 人', 0],
    ['重复提醒 3 次', 2],
    ['逐级上报 1 人', 0],
    ['重复提醒 1 人', 0],
  ])
})

test('a push to another system is no person', () => {
  expect(noticeMoments([row({ kind: 'webhook', channelName: 'Webhook', receiverName: 'ops.example' })])[0]?.title).toBe('首次通知，推送')
})

test.each([
  [null, undefined],
  [185_000, { who: '项目经理', when: '还有 3:05', soon: false }],
  [59_000, { who: '项目经理', when: '还有 0:59', soon: true }],
  [7_200_000, { who: '项目经理', when: '还有 2 小时', soon: false }],
  [-1, { who: '项目经理', when: '正在升级', soon: true }],
])('%s ms before the next rung', (left, words) => {
  const now = 1_795_000_000_000
  expect(escalationWords(left === null ? null : { name: '项目经理', at: now + left }, now)).toEqual(words)
})
