import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { noticeChannels, noticeStates, outsideRoles, siteRoles } from '@zhugong/contract/notify/codes'
import type { listExecs, updateExec } from '@zhugong/contract/rules/endpoints'
import { execBody, interlocks, type LinkageCommand, linkageCommands, type RectifyPart } from '@zhugong/contract/rules/exec-model'
import { type DeviceCommand, deviceCommands } from '@zhugong/contract/telemetry/commands'
import { span } from '#kit/format.ts'

/** Types and texts of execution actions. */

export interface Rung {
  afterMinutes: number
  roles: string[]
  channels?: string[]
}
export interface NotifyPart {
  roles: string[]
  userIds: string[]
  onDuty: boolean
  channels: string[]
  text?: string
  repeatMinutes?: number
  quietHours: { from: string; to: string } | null
  escalation: Rung[]
}
type Params = Record<string, string | number | boolean>
export interface LinkagePart {
  command: string
  selector: { kind: 'sameArea' } | { kind: 'bound' } | { kind: 'list'; deviceIds: string[] }
  family?: string
  params: Params
  stopCommand?: string
  stopParams?: Params
  minRunSeconds?: number
  maxRunSeconds?: number
  cooldownSeconds?: number
  interlocks: string[]
  confirm: 'none' | 'person'
}

const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
type Loose = Readonly<Record<string, unknown>> | null | undefined

export function rungsOf(value: unknown): Rung[] {
  if (!Array.isArray(value)) return []
  return value.map((one: Record<string, unknown>) => ({
    afterMinutes: asNumber(one.afterMinutes) ?? 0,
    roles: asTexts(one.roles),
    channels: Array.isArray(one.channels) ? asTexts(one.channels) : undefined,
  }))
}

/** Parses a stored notice part, with defaults for missing fields. */
export function notifyOf(part: Loose): NotifyPart {
  const quiet = part?.quietHours as { from?: unknown; to?: unknown } | null | undefined
  const repeat = asNumber(part?.repeatMinutes)
  return {
    roles: asTexts(part?.roles),
    userIds: asTexts(part?.userIds),
    onDuty: part?.onDuty === true,
    channels: asTexts(part?.channels),
    text: typeof part?.text === 'string' && part.text ? part.text : undefined,
    repeatMinutes: repeat,
    quietHours: quiet?.from && quiet.to ? { from: String(quiet.from), to: String(quiet.to) } : null,
    escalation: rungsOf(part?.escalation),
  }
}

export function linkageOf(part: Loose): LinkagePart {
  const selector = part?.selector as { kind?: string; deviceIds?: unknown } | undefined
  const numbers = Object.fromEntries(
    (['minRunSeconds', 'maxRunSeconds', 'cooldownSeconds'] as const).flatMap((key) => {
      const value = asNumber(part?.[key])
      return value === undefined ? [] : [[key, value]]
    }),
  )
  return {
    command: typeof part?.command === 'string' ? part.command : 'spray.start',
    selector:
      selector?.kind === 'list'
        ? { kind: 'list', deviceIds: asTexts(selector.deviceIds) }
        : { kind: selector?.kind === 'bound' ? 'bound' : 'sameArea' },
    family: typeof part?.family === 'string' ? part.family : undefined,
    params: (part?.params as Params | undefined) ?? {},
    stopCommand: typeof part?.stopCommand === 'string' ? part.stopCommand : undefined,
    stopParams: part?.stopParams ? (part.stopParams as Params) : undefined,
    ...numbers,
    interlocks: asTexts(part?.interlocks),
    confirm: part?.confirm === 'person' ? 'person' : 'none',
  }
}

type ExecRow = OutputFor<typeof listExecs>['list'][number]

/** Request body that toggles an action; undefined if its stored content is not valid any more. */
export function turnedExec(
  row: Pick<ExecRow, 'name' | 'kind' | 'version' | 'enabled' | 'notify' | 'linkage' | 'rectify' | 'webhook'>,
): InputFor<typeof updateExec>['body'] | undefined {
  const { name, kind, version, enabled } = row
  return execBody.safeParse({ name, kind, version, enabled: !enabled, [kind]: row[kind] }).data
}

const channelWords: Readonly<Record<string, string>> = { ...noticeChannels, webhook: 'Webhook' }
/** Name of a channel in the log: a notice channel or a device command. */
export const channelWord = (channel: string): string =>
  channelWords[channel] ?? (channel in deviceCommands ? deviceCommands[channel as DeviceCommand] : channel)

/** Suggested roles; any other role of the project may be typed. */
export const usualRoles: readonly string[] = [...siteRoles, ...outsideRoles]

/** For example 安全员、项目经理、值班人员、2 人. */
export function targetWords(part: NotifyPart): string {
  const people = part.userIds.length > 0 ? [`指定 ${part.userIds.length} 人`] : []
  return [...part.roles, ...(part.onDuty ? ['值班人员'] : []), ...people].join('、')
}

export const minutesWords = (minutes: number): string => (minutes === 0 ? '立即' : span(minutes * 60_000))

export const rungWords = (rung: Rung): string => `${minutesWords(rung.afterMinutes)} ${rung.roles.join('、')}`

/** For example 安全员 → 5 分钟 项目经理 → 15 分钟 公司安全部. */
export function ladderWords(first: string, rungs: readonly Rung[]): string {
  return [first, ...rungs.map(rungWords)].filter(Boolean).join(' → ')
}

export const quietWords = (quiet: { from: string; to: string } | null | undefined): string =>
  quiet ? `${quiet.from} 至${quiet.to <= quiet.from ? '次日 ' : ' '}${quiet.to}` : ''

/** Help, text and parameters of each command; families and stop commands are in the contract. */
export const commandSpecs: Readonly<
  Record<LinkageCommand, { help: string; text?: { label: string; max: number; usual: string }; start?: Params; end?: Params }>
> = {
  'spray.start': { help: '启动区域内的喷淋或雾炮，恢复后停止' },
  'crane.warn': { help: '在驾驶室播报一句话，不控制机械动作', text: { label: '喊话内容', max: 30, usual: '力矩超限，请停止起升' } },
  'camera.snapshot': { help: '由绑定的摄像机抓拍一张，附在告警上' },
  'helmet.call': { help: '呼叫同区域的安全帽，接通后语音' },
  'helmet.text': { help: '在安全帽上播报一段文字', text: { label: '文字内容', max: 200, usual: '附近有人求助，请立即查看' } },
  'device.text': { help: '在车载终端上显示并播报', text: { label: '文字内容', max: 200, usual: '您已偏离路线，请返回' } },
  'meter.valve': { help: '关闭阀门，恢复后打开', start: { open: false }, end: { open: true } },
}
const isLinkage = (command: string): command is LinkageCommand => command in linkageCommands
/** Undefined for a command that linkage cannot start. */
export const specOf = (command: string) => (isLinkage(command) ? { ...linkageCommands[command], ...commandSpecs[command] } : undefined)
/** Linkage part for a newly selected command, with its defaults. */
export function partFor(command: LinkageCommand, before: LinkagePart): LinkagePart {
  const spec = specOf(command)
  const { family: _, stopCommand: __, stopParams: ___, ...rest } = before
  return {
    ...rest,
    command,
    params: spec?.text ? { text: spec.text.usual } : (spec?.start ?? {}),
    stopCommand: spec?.stop || undefined,
    stopParams: spec?.end || undefined,
    selector: before.selector.kind === 'list' ? { kind: 'sameArea' } : before.selector,
    interlocks: command === 'spray.start' ? before.interlocks : [],
  }
}
export const commandWord = (command: string): string => (command in deviceCommands ? deviceCommands[command as DeviceCommand] : command)

const selectorWords = { sameArea: '同区域', bound: '绑定的', list: '指定的' } as const

/** For example 同区域 启动喷淋，最长 10 分钟，低于 2 ℃ 或 降雨 时不启动. */
export function linkageWords(part: LinkagePart): string {
  const where = part.selector.kind === 'list' ? `指定 ${part.selector.deviceIds.length} 台` : selectorWords[part.selector.kind]
  const current = part.interlocks.map((one) => interlocks[one as keyof typeof interlocks] ?? one)
  return [
    `${where} ${commandWord(part.command)}`,
    part.maxRunSeconds && part.stopCommand ? `最长 ${span(part.maxRunSeconds * 1000)}` : '',
    current.length > 0 ? `${current.join('、')}时不启动` : '',
    part.confirm === 'person' ? '须人工确认' : '',
  ]
    .filter(Boolean)
    .join('，')
}

/** Host of a webhook URL, without the path, which may contain a token. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** For example 二级及以上告警，下发整改，7 天内完成. */
export const rectifyWords = ({ fromLevel, days }: Pick<RectifyPart, 'fromLevel' | 'days'>): string =>
  `${levelNames[fromLevel - 1] ?? ''}${fromLevel > 1 ? '及以上' : ''}告警，下发整改，${days} 天内完成`
export const levelNames = ['一级', '二级', '三级', '四级'] as const

/** One action on one line: recipients, channels and escalation, or the command. */
export function execWords(exec: {
  kind: string
  notify: Loose
  linkage: Loose
  rectify?: RectifyPart | null
  webhook: { url: string } | null
}): string {
  if (exec.kind === 'linkage') return linkageWords(linkageOf(exec.linkage))
  if (exec.kind === 'rectify' && exec.rectify) return rectifyWords(exec.rectify)
  if (exec.kind === 'webhook') return `推送到 ${hostOf(exec.webhook?.url ?? '')}`
  const part = notifyOf(exec.notify)
  const quiet = quietWords(part.quietHours)
  return [
    ladderWords(targetWords(part), part.escalation),
    part.channels.map(channelWord).join('、'),
    part.repeatMinutes ? `每 ${minutesWords(part.repeatMinutes)}重复` : '',
    quiet ? `${quiet} 静默` : '',
  ]
    .filter(Boolean)
    .join('；')
}

export const variables = ['项目', '设备', '告警', '等级', '数值', '阈值', '时间'] as const
export type Variable = (typeof variables)[number]

export function fillText(text: string, values: Readonly<Record<Variable, string>>): string {
  return text.replace(/\{([^{}]{1,4})\}/g, (whole, name: string) => values[name as Variable] ?? whole)
}
/** Unknown placeholders in braces, which would be sent literally. */
export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].map((m) => m[1] ?? '').filter((name) => !(variables as readonly string[]).includes(name))

/** Number of paid SMS parts: up to 70 characters are one, longer texts have 67 per part. */
export const smsParts = (text: string): number => (text.length <= 70 ? 1 : Math.ceil(text.length / 67))

/** One message for several alarms of a group, for example a power cut of forty meters. */
export function groupText(project: string, alarm: string, devices: readonly string[], total: number): { title: string; text: string } {
  const what = `${alarm} ${total} 条`
  return { title: what, text: `${project}：${what}。${devices.join('、')}${total > devices.length ? `…（列出全部 ${total} 台）` : ''}` }
}

/** Sample body of a webhook delivery. */
export const webhookSample = (project: string) => ({
  event: 'open',
  title: '【二级】2# 塔机力矩报警',
  alarms: [
    {
      id: '0f6c…',
      projectCode: 'P2026001',
      projectName: project,
      deviceId: '7a1e…',
      deviceName: '2# 塔机',
      family: 'towerCrane',
      alarmKey: 'momentAlarm',
      label: '力矩报警',
      level: 2,
      value: 106,
      threshold: '力矩百分比 ≥ 100 %',
      startTime: 1_795_156_326_000,
      active: true,
      simulated: false,
    },
  ],
})

/** Result of a test in one line. */
export function testWords(sent: readonly { channel: string; state: string; result: string }[]): string {
  if (sent.length === 0) return '没有可发送的渠道'
  return sent
    .map(
      (one) =>
        `${channelWord(one.channel)}${one.state === 'sent' ? '已发送' : (noticeStates[one.state] ?? one.state)}${one.result && one.state !== 'sent' ? `（${one.result}）` : ''}`,
    )
    .join('，')
}

const shortestRequirement = 5
/** Validation errors of an action, by field. */
export function execProblems(
  kind: string,
  draft: { name: string; notify: NotifyPart; linkage: LinkagePart; rectify: RectifyPart; webhook: { url: string } },
): Record<string, string> {
  const wrong: Record<string, string> = {}
  if (!draft.name.trim()) wrong.name = '请填写动作名称'
  if (kind === 'notify') {
    const { roles, userIds, onDuty, channels, text, escalation, quietHours } = draft.notify
    if (roles.length + userIds.length === 0 && !onDuty) wrong['notify.roles'] = '请选择通知对象'
    if (channels.length === 0) wrong['notify.channels'] = '请选择推送渠道'
    const strange = unknownVariables(text ?? '')
    if (strange.length > 0) wrong['notify.text'] = `没有变量 {${strange.join('}、{')}}`
    if (quietHours && quietHours.from === quietHours.to) wrong['notify.quietHours'] = '起止时间不能相同'
    escalation.forEach((rung, i) => {
      if (rung.roles.length === 0) wrong[`notify.escalation.${i}.roles`] = '请选择升级对象'
      const before = escalation[i - 1]
      if (before && rung.afterMinutes <= before.afterMinutes)
        wrong[`notify.escalation.${i}.afterMinutes`] = `应晚于上一级的 ${before.afterMinutes} 分钟`
    })
  }
  if (kind === 'linkage') {
    const { command, selector, stopCommand, maxRunSeconds, minRunSeconds, params } = draft.linkage
    const spec = specOf(command)
    if (!spec) wrong['linkage.command'] = '安全关键动作不由云端执行'
    if (selector.kind === 'list' && selector.deviceIds.length === 0) wrong['linkage.selector'] = '请选择设备'
    if (spec?.stop && !stopCommand) wrong['linkage.stopCommand'] = '请选择停止命令'
    if (spec?.text && !String(params.text ?? '').trim()) wrong['linkage.params.text'] = `请填写${spec.text.label}`
    if (!maxRunSeconds) wrong['linkage.maxRunSeconds'] = '请填写最长运行时间'
    else if ((minRunSeconds ?? 0) > maxRunSeconds) wrong['linkage.minRunSeconds'] = '最短运行时间不能超过最长运行时间'
  }
  if (kind === 'rectify' && draft.rectify.requirement.trim().length < shortestRequirement)
    wrong['rectify.requirement'] = `整改要求至少 ${shortestRequirement} 个字`
  if (kind === 'webhook' && !/^https:\/\/[^\s/@]+(\/\S*)?$/.test(draft.webhook.url.trim())) {
    wrong['webhook.url'] = draft.webhook.url.trim() ? '地址须以 https:// 开头，不含账号口令' : '请填写地址'
  }
  return wrong
}
