import type { Family } from '@zhugong/contract/telemetry/families'

/** Parameters of the family without a value; rules that need them cannot run. */
export function missingParams(family: Family | undefined, params: Record<string, unknown>): string[] {
  return (family?.params ?? [])
    .filter((p) => params[p.key] === undefined || params[p.key] === null || params[p.key] === '')
    .map((p) => p.label)
}

/** Validates numbers against their range and codes against their values. Parameters unknown to the family are kept. */
export function paramErrors(family: Family, params: Record<string, unknown>): { key: string; text: string }[] {
  return family.params.flatMap((p) => {
    const value = params[p.key]
    if (value === undefined || value === null || value === '') return []
    if (p.type === 'number' || p.type === 'integer') {
      const n = Number(value)
      if (!Number.isFinite(n) || (p.type === 'integer' && !Number.isInteger(n)))
        return [{ key: p.key, text: `${p.label}应为${p.type === 'integer' ? '整数' : '数字'}` }]
      if (n < (p.min ?? n) || n > (p.max ?? n))
        return [{ key: p.key, text: `${p.label}应在 ${p.min}～${p.max}${p.unit ? ` ${p.unit}` : ''} 之间` }]
    }
    if (p.type === 'enum' && !Object.hasOwn(p.values ?? {}, String(value))) return [{ key: p.key, text: `${p.label}不在可选范围内` }]
    return []
  })
}
