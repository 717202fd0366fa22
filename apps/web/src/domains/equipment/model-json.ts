import type { createModel } from '@zhugong/contract/equipment/model-endpoints'
import type { BodyOf } from '#kit/form.tsx'

interface ModelFile {
  brandName: string
  family: string
  name: string
  protocols: readonly string[]
  metrics: readonly { key: string; precision?: number | null; min?: number | null; max?: number | null; alias?: string | null }[]
  registers: readonly unknown[]
  alarmCodes: readonly { code: string; alarmKey: string }[]
  params: Record<string, unknown>
  remark: string | null
}

/** Exports a model as JSON for another installation; uses names instead of ids. */
export function jsonOfModel(model: ModelFile): string {
  const { brandName, family, name, protocols, registers, params, remark } = model
  const metrics = model.metrics.map(({ key, precision, min, max, alias }) => ({ key, precision, min, max, alias }))
  const alarmCodes = model.alarmCodes.map(({ code, alarmKey }) => ({ code, alarmKey }))
  return JSON.stringify(
    { kind: 'zhugong.model', brand: brandName, family, name, protocols, metrics, registers, alarmCodes, params, remark },
    null,
    2,
  )
}

export function modelOfJson(
  text: string,
  brands: readonly { id: string; name: string; alias: readonly string[] }[],
): { body: BodyOf<typeof createModel> } | { problem: string } {
  let file: Record<string, unknown>
  try {
    file = JSON.parse(text) as Record<string, unknown>
  } catch {
    return { problem: '文件不是有效的 JSON' }
  }
  if (file === null || typeof file !== 'object' || file.kind !== 'zhugong.model') return { problem: '文件不是型号导出文件' }
  const wanted = String(file.brand ?? '').toLowerCase()
  const brand = brands.find((one) => one.name.toLowerCase() === wanted || one.alias.some((alias) => alias.toLowerCase() === wanted))
  if (!brand) return { problem: `品牌 ${String(file.brand ?? '')} 不在品牌库，请先登记` }
  const { kind: _kind, brand: _brand, ...rest } = file
  // The server validates the other fields when the model is created.
  return { body: { ...rest, brandId: brand.id } as BodyOf<typeof createModel> }
}
