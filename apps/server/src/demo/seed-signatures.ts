import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { securityKind } from '#domains/checks/public'
import { selectDayCheck } from '#domains/daychecks/kind'
import { dayCheckKind, dayCheckType } from '#domains/daychecks/public'
import { contentHash, type Seat, type Stated } from '#domains/process/public'
import { rectifyKind } from '#domains/rectify/public'
import { inspectionKind, inspectionSeats } from '#domains/scoring/public'
import { stopKind } from '#domains/stops/public'
import type { Database, Tables, Tx } from '#kit/db'
import { drawnName } from './drawn-name.ts'
import { insertAll } from './seed-trade.ts'

const key = 'demo-signatures'
type Signature = Insertable<Tables['processSignature']>

/** A record with the name for seats that name nobody, and whether it is done. */
type Recorded = Stated & { createBy: string; closed: boolean; guest: string; chief?: string | null; at: Date; updateTime: Date }

/**
 * Drawn signatures under the past records: all seats of what is done, those of the issuing side of what runs. Written after the photographs,
 * which belong to the signed content.
 */
export async function seedSignatures({ kysely }: Database, city: City): Promise<void> {
  if (await kysely.selectFrom('setting').select('key').where('key', '=', key).executeTakeFirst()) return
  await kysely.transaction().execute(async (tx) => {
    const people = await tx.selectFrom('appUser').select(['id', 'name']).execute()
    const ids = new Map(people.map((one) => [one.name, one.id]))
    const names = new Map(people.map((one) => [one.id, one.name]))
    const rows: Signature[] = []
    const add = async (kind: string, records: readonly Recorded[], seats: (row: never) => Promise<readonly Seat[]>) => {
      for (const row of records) rows.push(...signed(city, kind, row, await seats(row as never), ids, names.get(row.createBy) ?? row.guest))
    }
    const ctx = { db: tx }
    await add(rectifyKind.kind, await notices(tx), (row) => rectifyKind.seats(ctx, row))
    await add(stopKind.kind, await applications(tx), (row) => stopKind.seats(ctx, row))
    await add(securityKind.kind, await checks(tx, securityKind.kind), (row) => securityKind.seats(ctx, row))
    await add(inspectionKind.kind, await checks(tx, inspectionKind.kind), (row) => inspectionSeats(ctx, row))
    await add(dayCheckType, await dayChecks(tx), (row) => dayCheckKind.seats(ctx, row))
    await insertAll(tx, 'processSignature', rows)
    await tx.insertInto('setting').values({ key, value: 'true' }).execute()
  })
}

function signed(
  city: City,
  kind: string,
  row: Recorded,
  seats: readonly Seat[],
  ids: ReadonlyMap<string, string>,
  holder: string,
): Signature[] {
  const random = stream(city.seed, 'signature', row.id)
  return seats.flatMap(({ seat, role, expects, known, content }, i) => {
    // 视同送达 has no signature, and what runs waits for some of its seats.
    const isOfSide = seat.startsWith('issuer') || seat.startsWith('checker')
    if (known?.name === '视同送达' || !(row.closed || known || (isOfSide && random.chance(0.5)))) return []
    const name =
      expects ?? (known?.name || (seat === 'issuer2' ? secondOf(seats) : seat === 'supervisor' && row.chief ? row.chief : row.guest))
    const userId = ids.get(name) ?? null
    const at = new Date((known?.at ?? row.at).getTime() + (i + 1) * 60_000)
    const refused = kind === rectifyKind.kind && seat === 'receiver' && random.chance(0.04)
    const { projectCode, corpCode, shownAt, groups } = row
    return [
      {
        id: idOf(row.id, 'signature', seat),
        kind,
        objectId: row.id,
        ...{ projectCode, corpCode, shownAt, groups },
        seat,
        role,
        name,
        userId: refused ? null : userId,
        image: refused ? null : drawnName(name, stream(city.seed, 'drawn', name)),
        hash: contentHash(content),
        refused,
        reason: refused ? '对检查结果有异议' : null,
        witness: refused ? '陈立' : null,
        place: seat === 'receiver' ? '项目部' : null,
        byId: row.createBy,
        byName: ids.has(name) && !refused ? name : holder,
        at,
      },
    ]
  })
}

/** The second officer of a notice is whoever rechecked with the first. */
const secondOf = (seats: readonly Seat[]) => seats.find((one) => one.seat.endsWith('.2'))?.expects ?? '陈立'

const notices = async (tx: Tx) =>
  (
    await sql<Recorded>`select r.*, r.state = '7' as closed, coalesce(r.receiver, r.responsible_person) as guest, r.issue_time as at
      from rectify r where r.code is not null order by r.id`.execute(tx)
  ).rows
const applications = async (tx: Tx) =>
  (
    await sql<Recorded>`select a.*, false as holding, a.state = '4' as closed, a.applicant_name as guest, coalesce(a.decide_time, a.submit_time) as at
      from stopapply a where a.code is not null order by a.id`.execute(tx)
  ).rows
const checks = async (tx: Tx, kind: string) =>
  (
    await sql<Recorded>`select c.*, c.state = '7' as closed, coalesce(p.name, '陪同人') as guest, c.check_time as at, true as supervised
      from site_check c left join lateral (select u.name from tenant t join member m on m.group_id = t.id join app_user u on u.id = m.user_id
        where t.type = 3 and t.code = c.project_code order by u.account limit 1) p on true
      where c.kind = ${kind} and c.shown_at is not null order by c.id`.execute(tx)
  ).rows
const dayChecks = async (tx: Tx) =>
  (
    await sql<Recorded>`select x.*, true as closed, coalesce(m.name, p.name, '项目负责人') as guest, s.name as chief, x.submit_at as at
      from (${selectDayCheck}) x left join lateral (select u.name from tenant t join member m on m.group_id = t.id join app_user u on u.id = m.user_id
        where t.type = 3 and t.code = x.project_code order by u.account limit 1) p on true
        left join lateral (select name from day_check_presence where check_id = x.id and post = '1009' and name is not null order by seq limit 1) m on true
        left join lateral (select name from day_check_presence where check_id = x.id and post = '1001' and name is not null order by seq limit 1) s on true
      where x.code is not null order by x.id`.execute(tx)
  ).rows
