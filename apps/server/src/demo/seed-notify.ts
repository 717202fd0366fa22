import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { formatDay, startOfDay } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import type { Secrets } from '#kit/secret'
import { insertAll } from './seed-trade.ts'

/** Staff phone numbers from an unassigned range. */
const phoneOf = (index: number) => `1700000${String(index).padStart(4, '0')}`
const shiftHours = 12
const days = 9

/** Phone numbers of the staff, and alternating day and night duty on each site from yesterday on. */
export async function seedNotify(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  for (const [index, { account }] of city.personas.entries()) {
    const phone = phoneOf(index)
    await db
      .updateTable('appUser')
      .set({
        phone: secrets.seal(phone),
        phoneHash: secrets.blindIndex('phone', phone),
        phoneMask: `${phone.slice(0, 3)}****${phone.slice(-4)}`,
      })
      .where('account', '=', account)
      .execute()
  }
  const users = await db.selectFrom('appUser').select(['id', 'account']).execute()
  const idOf = new Map(users.map((u) => [u.account, u.id]))
  const begin = startOfDay(formatDay(now)) - dayMs + 8 * 3_600_000
  const shifts = city.projects.flatMap((project) => {
    const staff = city.personas.filter((p) => p.groupType === 3 && p.projectCode === project.projectCode && /安全|项目经理/.test(p.title))
    if (staff.length === 0) return []
    return Array.from({ length: (days * 24) / shiftHours }, (_, i) => {
      const from = begin + i * shiftHours * 3_600_000
      return {
        id: newId(),
        projectCode: project.projectCode,
        userId: idOf.get(staff[i % staff.length]?.account ?? '') ?? '',
        fromTime: new Date(from),
        untilTime: new Date(from + shiftHours * 3_600_000),
        remark: i % 2 ? '夜班' : '白班',
      }
    })
  })
  await db.transaction().execute((tx) => insertAll(tx, 'dutyShift', shifts))
}
