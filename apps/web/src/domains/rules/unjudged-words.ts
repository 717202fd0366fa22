import type { UnjudgedRule } from '@zhugong/contract/rules/model'

interface Found {
  list: readonly Pick<UnjudgedRule, 'alarmLabel' | 'unable' | 'noSource'>[]
  counts: { devices: number }
}

/** For example 2 台设备上有 3 种告警不能判定（大风告警等）；另有 1 种没有设备上报数据. */
export function unjudgedWords({ list, counts }: Found): string {
  const stuck = list.filter((one) => one.unable > 0)
  const sourceless = list.filter((one) => one.noSource)
  const named = `${stuck[0]?.alarmLabel ?? ''}${stuck.length > 1 ? '等' : ''}`
  const parts = [
    ...(stuck.length ? [`${counts.devices} 台设备上有 ${stuck.length} 种告警不能判定（${named}）`] : []),
    ...(sourceless.length ? [`${stuck.length ? '另有 ' : ''}${sourceless.length} 种告警没有设备上报所需数据`] : []),
  ]
  return parts.join('；')
}
