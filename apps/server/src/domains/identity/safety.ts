import { type Safety, safety } from '@zhugong/contract/settings/system'
import type { Db } from '#kit/db'

export const safetyKey = 'safety'

/** The limits the operator has set, as they hold now; delivered ones where nothing was set. */
export async function limitsNow(db: Db) {
  const row = await db.selectFrom('setting').select('value').where('key', '=', safetyKey).executeTakeFirst()
  return limitsOf(safety.parse(row?.value ?? {}))
}

const limitsOf = ({ idleMinutes, keepHours, lockAfter, lockMinutes }: Safety) => ({
  idleMs: idleMinutes * 60_000,
  keepMs: keepHours * 3_600_000,
  lockAfter,
  lockMs: lockMinutes * 60_000,
})
