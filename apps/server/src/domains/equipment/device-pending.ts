import type { updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { segmentLimits } from '@zhugong/contract/protocols/hj212'
import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import type { Difference } from './change-log.ts'
import type { DeviceDetailRow } from './device-write.ts'

type Body = ParsedFor<typeof updateDevice> extends { body: infer B } ? B : never
export type DeviceChange = Omit<Body, 'auditState' | 'auditRemark'>

/** Fields that rules and decoders depend on; other fields may change without a review. */
const keyFields = ['deviceSn', 'family', 'category', 'access', 'params', 'modelId', 'specialRecordNo'] as const

/** Splits a change into the part that needs a review, if any, and the rest. */
export function keyPartOf(body: DeviceChange): { body: DeviceChange; rest: DeviceChange } | undefined {
  const key: Record<string, unknown> = {}
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    ;(keyFields.includes(name as (typeof keyFields)[number]) ? key : rest)[name] = value
  }
  return Object.keys(key).length ? { body: key as DeviceChange, rest: rest as DeviceChange } : undefined
}

const labels: Readonly<Record<string, string>> = {
  name: '名称',
  deviceSn: '序列号',
  modelName: '型号',
  factoryName: '厂家',
  brandName: '品牌',
  installPlace: '安装位置',
  installDate: '安装日期',
  dueDate: '服务到期',
  leader: '负责人',
  intervalSeconds: '上报间隔',
  specialRecordNo: '产权备案编号',
  ownerCorp: '产权单位',
  lng: '经度',
  lat: '纬度',
}
const words = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value).slice(0, 100)

/** The parameters a change would modify, with displayed values. */
export function paramChanges(
  family: Family | undefined,
  before: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Difference[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const param = family?.params.find((p) => p.key === key)
    const shown = (v: unknown) =>
      v === null || v === undefined || v === ''
        ? null
        : words(param?.values?.[String(v)] ?? `${String(v)}${param?.unit ? ` ${param.unit}` : ''}`)
    const [b, a] = [shown(before[key]), shown(value)]
    return b === a ? [] : [{ label: param?.label ?? key, before: b, after: a }]
  })
}

/** The fields a change would modify, with displayed values; secrets are not shown. */
export function changesOf(row: DeviceDetailRow, body: DeviceChange): Difference[] {
  const out: Difference[] = []
  const add = (label: string, before: unknown, after: unknown) => {
    const [b, a] = [words(before), words(after)]
    if (b !== a) out.push({ label, before: b, after: a })
  }
  for (const [key, label] of Object.entries(labels)) {
    const next = (body as Record<string, unknown>)[key]
    if (next !== undefined) add(label, (row as unknown as Record<string, unknown>)[key], next)
  }
  const family = familyOf(body.family ?? row.family)
  if (body.family && family) add('类别', familyOf(row.family)?.name, family.name)
  out.push(...paramChanges(family, row.params, body.params ?? {}))
  if (body.access) {
    const [before, after] = [row.access as unknown as Record<string, unknown>, body.access as Record<string, unknown>]
    for (const [key, label] of [
      ['protocol', '接入方式'],
      ['gatewayId', '网关'],
      ['mn', 'MN'],
      ['phone', '终端手机号'],
      ['terminalId', '终端 ID'],
      ['address', '从站地址'],
      ['crcMode', '校验方式'],
    ] as const)
      add(label, before[key], after[key])
    // Omitted fields stay unchanged.
    if (after.maxLength !== undefined) add('最大长度', before.maxLength ?? segmentLimits.standard, after.maxLength)
    add('上报单位', JSON.stringify(before.units ?? {}), JSON.stringify(after.units ?? {}))
  }
  if (body.modelId !== undefined && body.modelId !== row.modelId)
    add('型号', row.modelId && row.modelName, body.modelId === null ? null : '按型号库更改')
  return out
}

/** The pending change of a device, as a change to apply. */
export function applyPending(row: DeviceDetailRow): DeviceChange {
  return ((row.pending as { body?: DeviceChange } | null)?.body ?? {}) as DeviceChange
}
