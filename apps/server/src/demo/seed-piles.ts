import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { makingOf } from '@zhugong/simulator/structures'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'

/** Sites whose piles were made before they used the platform: dates were entered by hand. */
const earlier = { count: 96, rows: 8 }
const atRigs = { more: 40, rows: 12 }
/** Distance of piles in metres: four diameters. */
const spacing = 3.2
const letters = 'ABCDEFGHJKLM'

/** Design values by construction method. */
const designs = {
  bored: { diameter: 800, length: 22, depth: 22, concrete: 'C35' },
  static: { diameter: 500, length: 18, depth: null, concrete: 'C80' },
  mixing: { diameter: 600, length: 14, depth: null, concrete: '水泥土' },
} as const
type Kind = keyof typeof designs
/** Piles of other methods are in fields of their own: offset in rows to the north. */
const fieldOf = { bored: 0, mixing: 36, static: 48 } as const satisfies Record<Kind, number>
/** Reasons of decisions, by finding. */
const reasons = {
  '1': {
    bored: '终孔深度、垂直度及浆量符合设计，同意验收',
    mixing: '桩长、垂直度及每米浆量符合设计，同意验收',
    static: '桩长、终压力及垂直度符合设计，同意验收',
  },
  '2': {
    bored: '终孔深度略短于设计，待低应变检测后判定',
    mixing: '桩长或浆量略低于设计，待取芯后判定',
    static: '桩长或终压力略低于设计，待静载后判定',
  },
  '0': { bored: '垂直度超限，按设计要求补桩', mixing: '垂直度超限，按设计要求补桩', static: '垂直度超限，按设计要求补桩' },
} as const

interface Seeded {
  id: string
  pileNo: string
  madeOn: string | null
}

/** The pile register of every site with a pit or rigs, with tests and decisions of finished piles. */
export async function seedPiles(tx: Tx, city: City, now: number): Promise<void> {
  for (const { projectCode } of city.projects) {
    const own = city.devices.filter((d) => d.projectCode === projectCode)
    const rigs = own.filter((d) => d.family === 'pileFoundation')
    if (rigs.length > 0) await ofRigs(tx, city, projectCode, now)
    else if (own.some((d) => d.family === 'foundationPit')) await madeBefore(tx, city, projectCode, now)
  }
}

/** Recorded piles are registered under their number; as many again are planned, a few of them late. */
async function ofRigs(tx: Tx, city: City, projectCode: string, now: number): Promise<void> {
  const rigs = new Map(city.devices.filter((d) => d.family === 'pileFoundation').map((d) => [d.id, d]))
  const { rows } = await sql<{ pileNo: string; ts: Date; result: string | null; deviceId: string }>`
    select distinct on (data ->> 'pileNo') data ->> 'pileNo' as pile_no, ts, data ->> 'result' as result, device_id from device_record
    where project_code = ${projectCode} and record = 'pileRecord' and data ->> 'pileNo' is not null order by data ->> 'pileNo', ts desc`.execute(
    tx,
  )
  const of = Object.groupBy(
    rows.flatMap((row) => {
      const rig = rigs.get(row.deviceId)
      return rig ? [{ ...row, kind: makingOf(rig) }] : []
    }),
    (row) => row.kind,
  )
  for (const kind of ['bored', 'mixing', 'static'] as const) {
    const made = (of[kind] ?? []).sort((a, b) => a.ts.getTime() - b.ts.getTime())
    await ofOneKind(tx, city, projectCode, { kind, made, now })
  }
}

interface Made {
  pileNo: string
  ts: Date
  result: string | null
}

async function ofOneKind(
  tx: Tx,
  city: City,
  projectCode: string,
  { kind, made, now }: { kind: Kind; made: readonly Made[]; now: number },
): Promise<void> {
  for (const [i, { pileNo, ts, result }] of made.entries()) {
    const pile = await register(tx, city, projectCode, {
      pileNo,
      i,
      rows: atRigs.rows,
      kind,
      north: fieldOf[kind],
      plannedOn: formatDay(ts.getTime()),
      now,
    })
    // The newest await the supervisor's decision, the older ones are decided.
    const isOld = ts.getTime() < now - 3 * dayMs
    if (isOld && i % 6 === 1 && kind !== 'mixing')
      await lowStrain(tx, city, projectCode, pile, i % 42 === 7 ? '3' : i % 4 === 1 ? '2' : '1', ts.getTime() + dayMs, now)
    if (isOld && i % 70 === 35 && kind === 'bored') await staticLoad(tx, city, projectCode, pile, ts.getTime() + 2 * dayMs, 22)
    if (!isOld) continue
    const verdict = result === '0' ? '0' : result === '2' && i % 3 !== 0 ? '2' : '1'
    await decide(tx, city, projectCode, pile, verdict, reasons[verdict][kind], ts.getTime() + 2 * dayMs)
  }
  if (kind !== 'bored') return
  const last = Math.max(0, ...made.map(({ pileNo }) => Number(/\d+$/.exec(pileNo)?.[0] ?? 0)))
  for (let n = 0; n < atRigs.more; n++) {
    const plannedOn = addDays(formatDay(now), Math.floor(n / 4) - 1)
    const pileNo = `ZH${1 + (n % 2)}-${last + 60 + n}`
    await register(tx, city, projectCode, { pileNo, i: made.length + n, rows: atRigs.rows, kind: 'bored', plannedOn, now })
  }
}

async function madeBefore(tx: Tx, city: City, projectCode: string, now: number): Promise<void> {
  for (let i = 0; i < earlier.count; i++) {
    const daysAgo = 40 + Math.floor((earlier.count - i) / 3)
    // The last ones are not made yet.
    const isMade = i < earlier.count - 6
    const plannedOn = addDays(formatDay(now), isMade ? -daysAgo : i % 3 === 0 ? -2 : 6 + i - earlier.count)
    const madeOn = isMade ? addDays(plannedOn, i % 9 === 4 ? 1 : 0) : null
    const pileNo = `P-${String(i + 1).padStart(3, '0')}`
    const pile = await register(tx, city, projectCode, {
      pileNo,
      i,
      rows: earlier.rows,
      kind: i % 12 < 9 ? 'bored' : 'static',
      plannedOn,
      madeOn,
      now,
    })
    if (!isMade) continue
    const testedAt = now - (daysAgo - 16) * dayMs
    const integrity = i === 47 ? '4' : i % 29 === 11 ? '3' : i % 5 === 2 ? '2' : '1'
    if (i % 3 === 2) await lowStrain(tx, city, projectCode, pile, integrity, testedAt, now)
    if (i === 20 || i === 64) await staticLoad(tx, city, projectCode, pile, testedAt, i === 20 ? 17.6 : 24.3)
    const isTested = i % 3 === 2
    if (isTested && integrity === '4')
      await decide(tx, city, projectCode, pile, '0', '低应变Ⅳ类，桩身断裂，按设计变更补桩', testedAt + dayMs)
    else if (isTested && integrity === '3') await decide(tx, city, projectCode, pile, '2', '低应变Ⅲ类，待钻芯复验', testedAt + dayMs)
    else if (i < earlier.count - 14) await decide(tx, city, projectCode, pile, '1', '施工记录齐全，同意验收', testedAt + dayMs)
  }
}

interface Wanted {
  pileNo: string
  i: number
  /** Piles between two axes. */
  rows: number
  kind: Kind
  plannedOn: string
  madeOn?: string | null
  /** Rows of piles south of its field. */
  north?: number
  now: number
}

async function register(tx: Tx, city: City, projectCode: string, wanted: Wanted): Promise<Seeded> {
  const { pileNo, i, rows, kind, plannedOn, madeOn = null, north = 0, now } = wanted
  const id = idOf(city.seed, 'pile', projectCode, pileNo)
  const { diameter, length, depth, concrete } = designs[kind]
  const axis = `${1 + Math.floor(i / rows)}/${kind === 'bored' ? '' : kind === 'mixing' ? 'M' : 'S'}${letters[i % rows] ?? 'A'}`
  await sql`insert into pile (id, project_code, pile_no, kind, axis, diameter, design_length, design_depth, concrete, planned_on, made_on, x, y, create_by, create_time)
    values (${id}, ${projectCode}, ${pileNo}, ${kind}, ${axis}, ${diameter}, ${length}, ${depth},
      ${concrete}, ${plannedOn}::date, ${madeOn}::date, ${(i % rows) * spacing}, ${(north + Math.floor(i / rows)) * spacing}, '质量员', ${new Date(now - 90 * dayMs)})`.execute(
    tx,
  )
  return { id, pileNo, madeOn }
}

const tester = '市建筑科学研究院检测中心'

async function lowStrain(
  tx: Tx,
  city: City,
  projectCode: string,
  { id, pileNo }: Seeded,
  integrity: string,
  at: number,
  now: number,
): Promise<void> {
  const day = formatDay(Math.min(at, now))
  const speed = stream(city.seed, 'pileWave', pileNo).int(3_500, 3_900)
  await sql`insert into pile_test (id, project_code, pile_id, kind, tested_on, integrity, wave_speed, tester, report_no, create_by, create_time)
    values (${idOf(city.seed, 'pileStrain', id)}, ${projectCode}, ${id}, 'lowStrain', ${day}::date, ${integrity}, ${speed}, ${tester}, ${`DY-${pileNo}`}, '质量员',
      ${new Date(Math.min(at, now))})`.execute(tx)
}

/** Ten steps to twice the working load; settlement is slow at first and faster at the end. */
async function staticLoad(tx: Tx, city: City, projectCode: string, { id, pileNo }: Seeded, at: number, settlement: number): Promise<void> {
  const steps = Array.from({ length: 10 }, (_, i) => [(i + 1) * 480, Math.round(settlement * ((i + 1) / 10) ** 1.7 * 100) / 100])
  await sql`insert into pile_test (id, project_code, pile_id, kind, tested_on, max_load, settlement, steps, is_passed, tester, report_no, create_by, create_time)
    values (${idOf(city.seed, 'pileLoad', id)}, ${projectCode}, ${id}, 'staticLoad', ${formatDay(at)}::date, 4800, ${settlement}, ${JSON.stringify(steps)}::jsonb, true,
      ${tester}, ${`JZ-${pileNo}`}, '质量员', ${new Date(at)})`.execute(tx)
}

async function decide(
  tx: Tx,
  city: City,
  projectCode: string,
  { id }: Seeded,
  verdict: '1' | '2' | '0',
  reason: string,
  at: number,
): Promise<void> {
  await sql`update pile set verdict = ${verdict}, version = 1 where id = ${id}`.execute(tx)
  await sql`insert into pile_verdict (id, project_code, pile_id, verdict, proposed, grounds, reason, by_name, by_group, at)
    values (${idOf(city.seed, 'pileVerdict', id)}, ${projectCode}, ${id}, ${verdict}, ${verdict}, '{}'::text[], ${reason}, '监理工程师', '项目监理部', ${new Date(at)})`.execute(
    tx,
  )
}
