import { dayMs } from '@zhugong/contract/kit/time'
import { licencesByTrade } from '@zhugong/contract/personnel/rules'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Db } from '#kit/db'

/** Account of the clerk who handles the papers. */
const clerkAccount = 'hospital-labour'
/** Papers at the hospital's site: numbers pending review, missing special-trade licences, refused, reminded and ignored. */
const plan = { waiting: 18, missing: 5, refused: 3, reminded: 6, ignored: 2 }

/** Papers in work: some pending review, some missing, some expiring with a reminder sent. */
export async function seedPapers(db: Db, city: City, now: number): Promise<void> {
  const clerk = await db.selectFrom('appUser').select(['id', 'name']).where('account', '=', clerkAccount).executeTakeFirst()
  const projectCode = city.personas.find((p) => p.account === clerkAccount)?.projectCode
  if (!clerk || !projectCode) return
  const present = city.projectWorkers.filter((w) => w.projectCode === projectCode && w.exitTime === null)
  const certsOf = new Map(
    [...Map.groupBy(city.workerCerts, (c) => c.workerId)].map(([id, certs]) => [id, certs.filter((c) => c.validEnd !== null)]),
  )
  // From the end of the list, because the named people of other seeds are at its start.
  const special = present.filter((w) => w.workType && licencesByTrade[w.workType]).reverse()
  const others = present.filter((w) => !special.includes(w) && (certsOf.get(w.workerId)?.length ?? 0) > 0).reverse()
  const healthy = special.filter((w) =>
    (certsOf.get(w.workerId) ?? []).every((c) => (c.validEnd ?? '') > new Date(now + 95 * dayMs).toISOString()),
  )
  const certIds = (people: typeof present) => people.flatMap((w) => (certsOf.get(w.workerId) ?? []).slice(0, 1).map((c) => c.id))

  const missing = healthy.slice(0, plan.missing)
  await db
    .deleteFrom('workerCert')
    .where(
      'workerId',
      'in',
      missing.map((w) => w.workerId),
    )
    .where('certType', '=', '7')
    .execute()
  const waiting = certIds([...healthy.slice(plan.missing), ...others]).slice(0, plan.waiting + plan.refused)
  for (const [i, id] of waiting.entries())
    await db
      .updateTable('workerCert')
      .set({
        auditStatus: i < plan.waiting ? '0' : '2',
        createBy: clerk.id,
        createTime: new Date(now - (i + 1) * 5 * 3_600_000),
      })
      .where('id', '=', id)
      .execute()

  const soon = new Date(now + 30 * dayMs).toISOString().slice(0, 10)
  const ending = special.flatMap((w) => (certsOf.get(w.workerId) ?? []).filter((c) => (c.validEnd ?? '9') <= soon).map((c) => ({ w, c })))
  const notices = ending.slice(0, plan.reminded + plan.ignored).flatMap(({ w, c }, i) => {
    const times = i < plan.reminded ? Array.from({ length: (i % 3) + 1 }, (_, n) => ({ kind: 'remind' as const, daysAgo: 2 + n * 7 })) : []
    const acts = times.length ? times : [{ kind: 'ignore' as const, daysAgo: 3 }]
    return acts.map(({ kind, daysAgo }) => ({
      id: idOf('cert-notice', c.id, kind, String(daysAgo)),
      projectCode,
      corpCode: w.corpCode,
      projectWorkerId: w.id,
      subject: `cert:${c.id}:${c.validEnd}`,
      kind,
      reason: kind === 'ignore' ? '已安排转岗，不再从事特种作业' : '',
      createTime: new Date(now - daysAgo * dayMs),
      createBy: clerk.id,
      createName: clerk.name,
    }))
  })
  if (notices.length) await db.insertInto('certNotice').values(notices).execute()
}
