import { mostNamed, usualNoticeText } from '@zhugong/contract/notify/codes'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { formatInstant } from '#kit/clock'

export interface AlarmFacts {
  id: string
  projectCode: string
  projectName: string
  deviceId: string
  deviceName: string
  family: string
  alarmKey: string
  label: string
  level: number
  metric: string | null
  thresholdText: string
  peakValue: number | null
  startTime: Date
  active: boolean
  simulated: boolean
  ruleId: string | null
  state: string
  gatewayName: string | null
}

export const levelWords = ['', '一级', '二级', '三级', '四级'] as const
const levelWord = (level: number) => levelWords[level] ?? `${level} 级`

/** Values have the family's decimals; two are enough in a message. */
const shown = (value: number) => String(Math.round(value * 100) / 100)

function peakOf(a: AlarmFacts): string {
  if (a.peakValue === null) return ''
  const unit = (a.metric && familyOf(a.family)?.metric(a.metric)?.unit) || ''
  return `${shown(a.peakValue)}${unit && ` ${unit}`}`
}

/** Replaces placeholders such as `{设备}` in a user's text. Unknown ones stay visible, so that typing errors are noticed. */
function filledIn(template: string, a: AlarmFacts): string {
  const values: Record<string, string> = {
    项目: a.projectName,
    设备: a.deviceName,
    告警: a.label,
    等级: levelWord(a.level),
    数值: peakOf(a) || '--',
    阈值: a.thresholdText,
    时间: formatInstant(a.startTime),
  }
  return template.replace(/\{([^{}]{1,10})\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The default text, without the parts unknown for this alarm. */
function usual(a: AlarmFacts): string {
  const withValue = a.peakValue === null ? usualNoticeText.replace('，当前 {数值}', '') : usualNoticeText
  return a.thresholdText ? withValue : withValue.replace('，{阈值}', '')
}

export const stepOf = (step: string): string => step.split(':')[0] ?? step

const prefixes: Readonly<Record<string, string>> = {
  upgrade: '升级：',
  repeat: '仍未接单：',
  escalate: '上报：',
  clear: '已恢复：',
  urge: '督办：',
  digest: '汇总：',
  test: '测试：',
}

/** Title and text of one message about one or more alarms. A power cut of forty meters gives one message that lists forty. */
export function inMessage(
  alarms: readonly [AlarmFacts, ...AlarmFacts[]],
  step: string,
  template: string | null,
  extra = '',
): { title: string; text: string } {
  const [first] = alarms
  const drill = first.simulated ? '【演练】' : ''
  const head = `${drill}${prefixes[stepOf(step)] ?? ''}【${levelWord(first.level)}】`
  const isOver = (a: AlarmFacts) => !a.active && stepOf(step) !== 'clear'
  if (alarms.length === 1) {
    const text = `${filledIn(template ?? usual(first), first)}${isOver(first) ? '，现已恢复' : ''}`
    return { title: `${head}${first.deviceName}${first.label}`, text: `${drill}${text}${extra && `。${extra}`}` }
  }
  const cut = first.alarmKey === 'offline' && first.gatewayName !== null && alarms.every((a) => a.gatewayName === first.gatewayName)
  const labels = [...new Set(alarms.map((a) => a.label))]
  const what = cut ? `网关 ${first.gatewayName} 离线，影响 ${alarms.length} 台设备` : `${labels.slice(0, 3).join('、')} ${alarms.length} 条`
  const named = alarms
    .slice(0, mostNamed)
    .map((a) => `${a.deviceName}${labels.length === 1 ? '' : a.label}${isOver(a) ? '（已恢复）' : ''}`)
  const over = alarms.filter(isOver).length
  const rest = `${alarms.length > mostNamed ? `等 ${alarms.length} 条` : ''}${over ? `，其中 ${over} 条已恢复` : ''}`
  return {
    title: `${head}${what}`,
    text: `${drill}${first.projectName}：${what}。${named.join('、')}${rest}。最早 ${formatInstant(alarms.reduce((a, b) => (a.startTime <= b.startTime ? a : b)).startTime)}${extra && `。${extra}`}`,
  }
}

/** In-app link of a message. */
export const linkOf = (alarms: readonly AlarmFacts[]): string =>
  alarms.length === 1 ? `/alarm/record?alarmId=${alarms[0]?.id}` : '/alarm/record'
