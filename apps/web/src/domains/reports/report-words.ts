import { type ReportPush, reportChannels, reportContents, reportPeriods, weekendRules } from '@zhugong/contract/reports/endpoints'

const weekdays = ['一', '二', '三', '四', '五', '六', '日']
export const weekdayOptions = weekdays.map((name, i) => ({ value: String(i + 1), label: `周${name}` }))
export const contentOptions = Object.entries(reportContents).map(([value, { name }]) => ({ value, label: name }))
export const periodOptions = [
  { value: reportPeriods.day, label: '日报' },
  { value: reportPeriods.week, label: '周报' },
  { value: reportPeriods.month, label: '月报' },
  { value: reportPeriods.quarter, label: '季报' },
]
export const periodName = (reportType: string): string => periodOptions.find((one) => one.value === reportType)?.label ?? reportType
export const channelOptions = [
  { value: reportChannels.message, label: '站内消息' },
  { value: reportChannels.sms, label: '短信' },
  { value: reportChannels.mail, label: '邮件（附 PDF 与 Excel）' },
]
export const sentChannelOptions = [
  ...channelOptions.map((one) => ({ ...one, label: one.label.replace(/（.*/, '') })),
  { value: 'webhook', label: '回调' },
]
export const channelName = (channel: string): string => sentChannelOptions.find((one) => one.value === channel)?.label ?? channel
export const weekendOptions = Object.entries(weekendRules).map(([value, label]) => ({ value, label }))

/** For example 每周一 08:00，休息日顺延到下一工作日. */
export function rhythmText({
  reportType,
  sendAt,
  weekday,
  monthday,
  weekend,
}: Pick<ReportPush, 'reportType' | 'sendAt' | 'weekday' | 'monthday' | 'weekend'>): string {
  const when =
    reportType === reportPeriods.day
      ? '每天'
      : reportType === reportPeriods.week
        ? `每周${weekdays[weekday - 1] ?? ''}`
        : reportType === reportPeriods.month
          ? `每月 ${monthday} 日`
          : `每季首月 ${monthday} 日`
  return `${when} ${sendAt}${weekend === 'send' ? '' : `，休息日${weekend === 'skip' ? '不发' : '顺延到下一工作日'}`}`
}

export const periodText = ({ from, to }: { from: string; to: string }): string => (from === to ? from : `${from} 至 ${to}`)

/** Change of a figure since the previous period. */
export function changeText(value: number | null, before: number | null): string {
  if (value === null || before === null) return ''
  const by = Math.round((value - before) * 10) / 10
  return by === 0 ? '与上期持平' : `较上期 ${by > 0 ? '+' : ''}${by}`
}
