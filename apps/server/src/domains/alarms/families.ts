import type { Context } from '#kit/context'

/** Permission codes that show one family's alarms to callers without `alarm.view`. */
const familyCodes: Record<string, string> = { 'tower-crane.view': 'towerCrane', 'environment.view': 'environment' }

/** The requested families whose alarms the caller may see; undefined means all. */
export function familiesFor(ctx: Pick<Context, 'codes'>, requested: string[] | undefined): string[] | undefined {
  if (ctx.codes.has('alarm.view')) return requested?.length ? requested : undefined
  const allowed = Object.entries(familyCodes).flatMap(([code, family]) => (ctx.codes.has(code) ? [family] : []))
  const wanted = requested?.length ? requested.filter((f) => allowed.includes(f)) : allowed
  return wanted.length ? wanted : ['']
}
