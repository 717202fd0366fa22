import type { Register } from '@zhugong/contract/equipment/model-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { type Family, familyNamed } from '@zhugong/contract/telemetry/families'
import { paramErrors } from './params.ts'

export interface MetricUse {
  key: string
  precision?: number | null | undefined
  min?: number | null | undefined
  max?: number | null | undefined
  alias?: string | null | undefined
}
export interface ModelContent {
  metrics: readonly MetricUse[]
  registers: readonly Register[]
  alarmCodes: readonly { code: string; alarmKey: string }[]
  params: Record<string, unknown>
}

export function familyGivenAs(name: string): Family {
  const family = familyNamed(name)
  if (!family) throw new AppError('invalidInput', '设备类别不存在', { field: 'family' })
  return family
}

/** Number of 16-bit registers per value type. */
const width: Readonly<Record<string, number>> = { u16: 1, i16: 1, u32abcd: 2, u32cdab: 2, f32: 2 }

const refusal = (field: string, text: string) => new AppError('invalidInput', text, { field })
function refuse(field: string, text: string): never {
  throw refusal(field, text)
}

/** Validates a model against its family: known metrics, narrower ranges, no overlapping registers. Throws AppError `invalidInput`. */
export function checkModel(family: Family, content: ModelContent): void {
  const seen = new Set<string>()
  const aliases = new Map<string, string>()
  for (const [i, m] of content.metrics.entries()) {
    const metric = family.metric(m.key)
    if (!metric) throw refusal(`metrics.${i}.key`, `${family.name}没有指标 ${m.key}`)
    if (seen.has(m.key)) refuse(`metrics.${i}.key`, `指标 ${metric.label} 重复`)
    seen.add(m.key)
    if (m.min != null && metric.min !== undefined && m.min < metric.min)
      refuse(`metrics.${i}.min`, `${metric.label}的下限不能小于 ${metric.min} ${metric.unit}`)
    if (m.max != null && metric.max !== undefined && m.max > metric.max)
      refuse(`metrics.${i}.max`, `${metric.label}的上限不能大于 ${metric.max} ${metric.unit}`)
    if (m.min != null && m.max != null && m.min >= m.max) refuse(`metrics.${i}.max`, `${metric.label}的上限应大于下限`)
    if (m.alias) {
      const other = aliases.get(m.alias)
      if (other) refuse(`metrics.${i}.alias`, `设备侧名称 ${m.alias} 已用于 ${other}`)
      aliases.set(m.alias, metric.label)
    }
  }
  const taken = new Map<number, string>()
  for (const [i, r] of content.registers.entries()) {
    const metric = family.metric(r.metric)
    if (!metric) throw refusal(`registers.${i}.metric`, `${family.name}没有指标 ${r.metric}`)
    if (content.metrics.length && !seen.has(r.metric)) refuse(`registers.${i}.metric`, `寄存器用到的指标 ${metric.label} 没有勾选`)
    if (r.scale === 0) refuse(`registers.${i}.scale`, '比例不能为 0')
    const words = width[r.type]
    if (words === undefined) {
      if (!r.code) refuse(`registers.${i}.code`, '请填写数据标识')
      continue
    }
    if (r.address == null) throw refusal(`registers.${i}.address`, '请填写寄存器地址')
    for (let at = r.address; at < r.address + words; at++) {
      const other = taken.get(at)
      if (other) refuse(`registers.${i}.address`, `寄存器 ${at} 已用于 ${other}`)
      taken.set(at, metric.label)
    }
  }
  const codes = new Set<string>()
  for (const [i, a] of content.alarmCodes.entries()) {
    if (!family.alarm(a.alarmKey)) refuse(`alarmCodes.${i}.alarmKey`, `${family.name}没有告警 ${a.alarmKey}`)
    if (codes.has(a.code)) refuse(`alarmCodes.${i}.code`, `报警码 ${a.code} 重复`)
    codes.add(a.code)
  }
  const [wrong] = paramErrors(family, content.params)
  if (wrong) refuse(`params.${wrong.key}`, wrong.text)
}

/** The changes of a version against the previous one, as display text. */
export function versionDiff(family: Family, before: ModelContent | undefined, after: ModelContent): string[] {
  if (!before) return ['首个版本']
  const out: string[] = []
  const label = (key: string) => family.metric(key)?.label ?? key
  const old = new Map(before.metrics.map((m) => [m.key, m]))
  const now = new Map(after.metrics.map((m) => [m.key, m]))
  for (const key of now.keys()) if (!old.has(key)) out.push(`增加指标 ${label(key)}`)
  for (const key of old.keys()) if (!now.has(key)) out.push(`去掉指标 ${label(key)}`)
  for (const [key, m] of now) {
    const o = old.get(key)
    if (!o) continue
    if ((o.min ?? null) !== (m.min ?? null) || (o.max ?? null) !== (m.max ?? null))
      out.push(`${label(key)}的量程改为 ${m.min ?? '--'}～${m.max ?? '--'}`)
    if ((o.alias ?? '') !== (m.alias ?? '')) out.push(`${label(key)}的设备侧名称改为 ${m.alias || '--'}`)
    if ((o.precision ?? null) !== (m.precision ?? null)) out.push(`${label(key)}的小数位改为 ${m.precision ?? '--'}`)
  }
  const text = (r: Register) => `${r.metric}@${r.address ?? r.code}/${r.type}×${r.scale}`
  const registersBefore = new Set(before.registers.map(text))
  const added = after.registers.filter((r) => !registersBefore.has(text(r)))
  const registersAfter = new Set(after.registers.map(text))
  const gone = before.registers.filter((r) => !registersAfter.has(text(r)))
  if (added.length) out.push(`寄存器变更 ${added.length} 项：${added.map((r) => label(r.metric)).join('、')}`)
  else if (gone.length) out.push(`去掉寄存器 ${gone.length} 项`)
  for (const p of family.params) {
    const [o, n] = [before.params[p.key], after.params[p.key]]
    if (String(o ?? '') !== String(n ?? '')) out.push(`默认${p.label}改为 ${n ?? '--'}`)
  }
  if (JSON.stringify(before.alarmCodes) !== JSON.stringify(after.alarmCodes)) out.push('报警码对照变更')
  return out.length ? out : ['内容没有变化']
}

/** Parameters of the model that the device lacks. */
export function paramsToFill(model: Record<string, unknown>, device: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(model).filter(
      ([key, v]) => v !== null && v !== '' && (device[key] === undefined || device[key] === null || device[key] === ''),
    ),
  )
}
