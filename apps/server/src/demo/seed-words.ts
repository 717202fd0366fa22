import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'

/** Settings of the operator and a company: a calendar with holidays, and two dictionary entries of a company. */
export async function seedWords(db: Db, city: City, now: number): Promise<void> {
  const year = Number(formatDay(now).slice(0, 4))
  const holidays = ['10-01', '10-02', '10-03'].map((day) => `${year}-${day}`)
  const calendar = { restWeekdays: [6, 7], restDates: [...holidays, `${year + 1}-01-01`], workDates: [] }
  const platform = await db.selectFrom('tenant').select(['id', 'settings']).where('type', '=', 0).executeTakeFirstOrThrow()
  const info = { ...(platform.settings.info as object | undefined), calendar }
  await db
    .updateTable('tenant')
    .set({ settings: JSON.stringify({ ...platform.settings, info }) })
    .where('id', '=', platform.id)
    .execute()
  const corpCode = city.personas.find((one) => one.account === 'yunze-lu')?.corpCode ?? ''
  const company = await db.selectFrom('tenant').select('id').where('type', '=', 2).where('code', '=', corpCode).executeTakeFirst()
  if (!company) return
  const own = [
    { code: 'X0000000000A1', name: '农忙返乡', parent: null, off: false },
    { code: 'X0000000000A2', name: '调往集团其他项目', parent: null, off: false },
  ]
  await db
    .insertInto('dictOwn')
    .values({
      groupId: company.id,
      dictionary: 'exitReason',
      value: JSON.stringify({ order: [], off: ['6'], own }),
      updateTime: new Date(now - 9 * dayMs),
      updateBy: '陆明章',
    })
    .execute()
}
