import { linkageCommands } from '@zhugong/contract/rules/exec-model'
import { expect, test } from 'vitest'
import {
  channelWord,
  commandSpecs,
  execProblems,
  fillText,
  groupText,
  ladderWords,
  linkageOf,
  linkageWords,
  notifyOf,
  partFor,
  quietWords,
  smsParts,
  specOf,
  targetWords,
  turnedExec,
  unknownVariables,
} from './exec-words.ts'

const values = { 项目: '滨江医院', 设备: '2# 塔机', 告警: '力矩报警', 等级: '二级', 数值: '106 %', 阈值: '≥ 100 %', 时间: '14:32:06' }

test.each([
  ['{设备} {告警} {数值}', '2# 塔机 力矩报警 106 %'],
  ['{设备}{备注}', '2# 塔机{备注}'],
  ['没有变量', '没有变量'],
  ['{{设备}}', '{2# 塔机}'],
])('%s is sent as %s', (text, sent) => {
  expect(fillText(text, values)).toBe(sent)
})

test('a variable that nothing stands behind is named', () => {
  expect(unknownVariables('{设备} {备注} {}')).toEqual(['备注', ''])
})

test.each([
  ['', 1],
  ['一'.repeat(70), 1],
  ['一'.repeat(71), 2],
  ['一'.repeat(135), 3],
])('a message of so many characters is paid by parts', (text, parts) => {
  expect(smsParts(text)).toBe(parts)
})

test('who is told, and who next', () => {
  const part = notifyOf({
    roles: ['安全员'],
    onDuty: true,
    userIds: ['u1', 'u2'],
    channels: ['1'],
    escalation: [{ afterMinutes: 5, roles: ['项目经理'] }],
  })
  expect(targetWords(part)).toBe('安全员、值班人员、指定 2 人')
  expect(ladderWords('安全员', part.escalation)).toBe('安全员 → 5 分钟 项目经理')
  expect(ladderWords('', [{ afterMinutes: 90, roles: ['公司安全部', '监理单位'] }])).toBe('1 小时 公司安全部、监理单位')
})

test.each([
  [{ from: '22:00', to: '06:00' }, '22:00 至次日 06:00'],
  [{ from: '12:00', to: '14:00' }, '12:00 至 14:00'],
  [null, ''],
])('quiet hours %o read %s', (quiet, words) => {
  expect(quietWords(quiet)).toBe(words)
})

test('a group is one message', () => {
  expect(groupText('滨江医院', '设备离线', ['1# 电表', '2# 电表'], 40)).toEqual({
    title: '设备离线 40 条',
    text: '滨江医院：设备离线 40 条。1# 电表、2# 电表…（列出全部 40 台）',
  })
  expect(groupText('滨江医院', '设备离线', ['1# 电表'], 1).text).toBe('滨江医院：设备离线 1 条。1# 电表')
})

test('a command brings its words, its stop and what is said to stop', () => {
  const spray = partFor('spray.start', linkageOf({ command: 'crane.warn', params: { text: '停' }, maxRunSeconds: 600 }))
  expect(spray).toMatchObject({ command: 'spray.start', params: {}, stopCommand: 'spray.stop', maxRunSeconds: 600 })
  const warn = partFor('crane.warn', spray)
  expect(warn.stopCommand).toBeUndefined()
  expect(warn.params).toEqual({ text: '力矩超限，请停止起升' })
  const valve = partFor('meter.valve', linkageOf({ selector: { kind: 'list', deviceIds: ['a'] } }))
  expect(valve).toMatchObject({
    stopCommand: 'meter.valve',
    params: { open: false },
    stopParams: { open: true },
    selector: { kind: 'sameArea' },
  })
})

test('every command the cloud may start has its words', () => {
  expect(Object.keys(commandSpecs).sort()).toEqual(Object.keys(linkageCommands).sort())
  expect(specOf('lift.lock')).toBeUndefined()
})

test('a linkage in words', () => {
  const part = linkageOf({
    command: 'spray.start',
    stopCommand: 'spray.stop',
    selector: { kind: 'sameArea' },
    maxRunSeconds: 600,
    interlocks: ['frost', 'rain'],
    confirm: 'person',
  })
  expect(linkageWords(part)).toBe('同区域 启动喷淋，最长 10 分钟，低于 2 ℃、降雨时不启动，须人工确认')
})

test.each([
  ['1', '站内消息'],
  ['spray.start', '启动喷淋'],
  ['9', '9'],
])('channel %s reads %s', (channel, word) => {
  expect(channelWord(channel)).toBe(word)
})

test('an action is switched with all it holds, and not when that would not be taken today', () => {
  const row = { name: '推送', version: 3, enabled: true, notify: null, linkage: null, rectify: null }
  const hook = { url: 'https://example.org/in', hasSecret: true }
  expect(turnedExec({ ...row, kind: 'webhook', webhook: hook })).toEqual({
    name: '推送',
    kind: 'webhook',
    version: 3,
    enabled: false,
    webhook: { url: 'https://example.org/in' },
  })
  const spray = { command: 'spray.start', selector: { kind: 'bound' }, stopCommand: 'spray.stop', maxRunSeconds: 900 }
  expect(turnedExec({ ...row, enabled: false, kind: 'linkage', linkage: spray, webhook: null })).toMatchObject({
    enabled: true,
    linkage: { ...spray, confirm: 'none', interlocks: [] },
  })
  expect(turnedExec({ ...row, kind: 'linkage', linkage: { ...spray, command: 'lift.lock' }, webhook: null })).toBeUndefined()
})

const draft = (part: { notify?: object; linkage?: object; requirement?: string; url?: string; name?: string }) => ({
  name: part.name ?? '动作',
  notify: notifyOf(part.notify as Record<string, unknown>),
  linkage: linkageOf(part.linkage as Record<string, unknown>),
  rectify: { category: '04', requirement: part.requirement ?? '', days: 3, fromLevel: 2 },
  webhook: { url: part.url ?? '' },
})
test.each([
  ['notify', { name: ' ', notify: { roles: ['安全员'], channels: ['1'] } }, { name: '请填写动作名称' }],
  ['notify', { notify: { channels: ['1'] } }, { 'notify.roles': '请选择通知对象' }],
  ['notify', { notify: { onDuty: true, channels: [] } }, { 'notify.channels': '请选择推送渠道' }],
  ['notify', { notify: { onDuty: true, channels: ['1'], text: '{备注}' } }, { 'notify.text': '没有变量 {备注}' }],
  [
    'notify',
    {
      notify: {
        onDuty: true,
        channels: ['1'],
        escalation: [
          { afterMinutes: 15, roles: ['项目经理'] },
          { afterMinutes: 15, roles: [] },
        ],
      },
    },
    { 'notify.escalation.1.roles': '请选择升级对象', 'notify.escalation.1.afterMinutes': '应晚于上一级的 15 分钟' },
  ],
  ['linkage', { linkage: { command: 'spray.start', maxRunSeconds: 600 } }, { 'linkage.stopCommand': '请选择停止命令' }],
  ['linkage', { linkage: { command: 'spray.start', stopCommand: 'spray.stop' } }, { 'linkage.maxRunSeconds': '请填写最长运行时间' }],
  [
    'linkage',
    { linkage: { command: 'spray.start', stopCommand: 'spray.stop', minRunSeconds: 700, maxRunSeconds: 600 } },
    { 'linkage.minRunSeconds': '最短运行时间不能超过最长运行时间' },
  ],
  ['linkage', { linkage: { command: 'lift.lock', maxRunSeconds: 600 } }, { 'linkage.command': '安全关键动作不由云端执行' }],
  ['linkage', { linkage: { command: 'crane.warn', maxRunSeconds: 60 } }, { 'linkage.params.text': '请填写喊话内容' }],
  ['rectify', { requirement: ' 查明 ' }, { 'rectify.requirement': '整改要求至少 5 个字' }],
  ['rectify', { requirement: '查明原因并排除' }, {}],
  ['webhook', { url: 'http://a.b/c' }, { 'webhook.url': '地址须以 https:// 开头，不含账号口令' }],
  ['webhook', { url: 'https://user:pw@a.b/c' }, { 'webhook.url': '地址须以 https:// 开头，不含账号口令' }],
  ['webhook', { url: 'https://a.b/c' }, {}],
])('%s %o is refused with %o', (kind, part, wrong) => {
  expect(execProblems(kind, draft(part))).toEqual(wrong)
})
