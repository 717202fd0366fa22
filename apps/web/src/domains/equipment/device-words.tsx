import { accessProtocols } from '@zhugong/contract/equipment/codes'
import { deviceStatuses } from '@zhugong/contract/equipment/endpoints'
import type { Place } from '@zhugong/contract/kit/project-rights'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const protocols: Readonly<Record<string, string>> = accessProtocols
export const protocolOptions = Object.entries(protocols).map(([value, label]) => ({ value, label }))

const tones: Readonly<Record<string, Tone>> = { '0': 'warning', '1': 'fine', '2': 'danger', '3': 'neutral' }
export function StatusTag({ status }: { status: string }) {
  return (
    <Tag tone={tones[status] ?? 'neutral'} icon={false}>
      {status in deviceStatuses ? deviceStatuses[status as keyof typeof deviceStatuses] : status}
    </Tag>
  )
}

export function OnlineTag({ row }: { row: { online: boolean; lastTime: number | null } }) {
  if (row.online) return <Tag tone="fine">在线</Tag>
  return (
    <Tag tone="neutral" icon={false}>
      {row.lastTime === null ? '未上报' : '离线'}
    </Tag>
  )
}

/** Why a value is stored but not used by rules. */
export const qualityWords: Readonly<Record<string, string>> = {
  outOfRange: '超量程',
  swapped: '经纬度可能填反',
  fault: '设备故障',
  maintenance: '维护校准',
  calibration: '校准',
  stopped: '停运',
  manual: '手工设定',
  linkLost: '通信中断',
  unitUnconfirmed: '单位未确认',
  stale: '过期',
  late: '补传',
}

/** Project and owner company of a device, which decide who may change it. */
export const placeOf = (one: { projectCode: string; ownerCorp: string | null }): Place => ({
  projectCode: one.projectCode,
  corpCode: one.ownerCorp,
})

/** Deviation of a device clock in words, with its direction. */
export const clockWords = (seconds: number | null | undefined): string | undefined =>
  seconds === null || seconds === undefined ? undefined : `${seconds > 0 ? '快 ' : seconds < 0 ? '慢 ' : ''}${Math.abs(seconds)} 秒`
