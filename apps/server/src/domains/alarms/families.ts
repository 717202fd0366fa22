import type { Context } from '#kit/context'

/** Families whose alarms a caller without `alarm.view` sees by the family's own code. */
const familyCodes: Record<string, string> = { 'tower-crane.view': 'towerCrane', 'environment.view': 'environment' }

/** The families whose alarms the caller may see, of those asked for; undefined means all. */
export function familiesFor(ctx: Pick<Context, 'codes'>, asked: string[] | undefined): string[] | undefined {
  if (ctx.codes.has('alarm.view')) return asked?.length ? asked : undefined
  const allowed = Object.entries(familyCodes).flatMap(([code, family]) => (ctx.codes.has(code) ? [family] : []))
  const wanted = asked?.length ? asked.filter((f) => allowed.includes(f)) : allowed
  return wanted.length ? wanted : ['']
}
