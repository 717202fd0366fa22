import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { meterKinds } from '#domains/monitoring/meter/meter-kinds'
import { keepMonth, lastSettled } from '#domains/monitoring/meter/meter-months'
import { monthAfter, sheetRows, sumsOfSheet } from '#domains/monitoring/meter/meter-sheets'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tx } from '#kit/db'

const tariffs = {
  electric: { price: 0.7245, peakPrice: 1.0868, valleyPrice: 0.3478 },
  water: { price: 3.85, peakPrice: null, valleyPrice: null },
} as const
const monthsBack = 3
/** Of the past months; the last one is left unsettled for trying the page. */
const settledMonths = 2
const signers = ['程定川', '周立新']

/** Prices, users and settled months of electricity and water; the last month is unsettled. */
export async function seedMeters(tx: Tx, city: City, now: number): Promise<void> {
  let first = formatDay(now).slice(0, 7)
  for (let i = 0; i < monthsBack; i++) first = addDays(`${first}-01`, -1).slice(0, 7)
  for (const { projectCode } of city.projects) {
    const own = city.devices.filter((d) => d.projectCode === projectCode)
    await sql`update device d set params = d.params || jsonb_build_object('corpName', c.corp_name)
      from (select o.corp_name, row_number() over (order by p.corp_type desc, p.corp_code) as n, count(*) over () as many
        from project_corp p join corporation o on o.corp_code = p.corp_code where p.project_code = ${projectCode} and p.corp_type in ('006', '009')) c
      where d.project_code = ${projectCode} and d.family in ('electricMeter', 'waterMeter') and d.params ->> 'area' is distinct from '总表'
        and c.n = (case when d.params ->> 'area' = '生活办公' then c.many else 1 end)`.execute(tx)
    for (const kind of ['electric', 'water'] as const) {
      if (!own.some((d) => d.family === `${kind}Meter`)) continue
      const tariff = tariffs[kind]
      await sql`insert into meter_price (id, project_code, kind, from_month, price, peak_price, valley_price, create_by, create_time)
        values (${idOf(city.seed, 'meterPrice', projectCode, kind)}, ${projectCode}, ${kind}, ${first}, ${tariff.price}, ${tariff.peakPrice}, ${tariff.valleyPrice},
          '成本员', ${new Date(startOfDay(`${first}-01`))})`.execute(tx)
      let month = first
      for (let i = 0; i < settledMonths; i++, month = monthAfter(month)) await settle(tx, city, { projectCode, kind, month })
    }
    await byHand(tx, city, projectCode, now)
  }
}

interface EntrySeed {
  family: 'electricMeter' | 'waterMeter'
  /** Index among the site's meters of that family, ordered by id. */
  meter: number
  daysAgo: number
  kind: 'reading' | 'change'
  reason: string
  /** For new transformers: the previous ratio as a share of the new one. */
  ratioShare?: number
  voidReason?: string
}
const entries: readonly EntrySeed[] = [
  { family: 'electricMeter', meter: 1, daysAgo: 5.2, kind: 'reading', reason: '配电房网关检修，现场抄表' },
  { family: 'electricMeter', meter: 1, daysAgo: 4.1, kind: 'reading', reason: '网关检修，现场抄表', voidReason: '看错表盘，抄成相邻回路' },
  {
    family: 'electricMeter',
    meter: 2,
    daysAgo: 3.3,
    kind: 'change',
    reason: '回路增容，互感器 150/5 更换为 200/5，电表未换',
    ratioShare: 0.75,
  },
  { family: 'waterMeter', meter: 1, daysAgo: 3.1, kind: 'reading', reason: '远传模块电量低，现场抄表' },
  { family: 'waterMeter', meter: 0, daysAgo: 2.4, kind: 'change', reason: '表盘进水看不清，同规格更换，新表拨至旧表止码' },
]

/** Manual readings and replacements of the last days, consistent with the transmitted readings. */
async function byHand(tx: Tx, city: City, projectCode: string, now: number): Promise<void> {
  for (const [i, seed] of entries.entries()) {
    const meter = city.devices.filter((d) => d.family === seed.family && d.projectCode === projectCode && d.behaviour === 'normal')[
      seed.meter
    ]
    if (!meter) continue
    const at = new Date(now - seed.daysAgo * dayMs)
    const counter = meterKinds[seed.family].counter
    const { rows } = await sql<{ reading: number; ratio: number | null }>`
      select (t.v -> ${counter}::text ->> 1)::float8 as reading, (d.params ->> 'ratio')::float8 as ratio
      from telemetry_5m t join device d on d.id = t.device_id where t.device_id = ${meter.id} and t.ts <= ${at}::timestamptz - interval '5 minutes' and t.v ? ${counter}
      order by t.ts desc limit 1`.execute(tx)
    const [known] = rows
    if (!known) continue
    const ratio = known.ratio ?? 1
    const before = seed.ratioShare === undefined ? null : Math.max(1, Math.round(ratio * seed.ratioShare))
    const changes = before !== null && before !== ratio
    const gone = seed.voidReason === undefined ? null : new Date(at.getTime() + 3_600_000)
    await sql`insert into meter_entry (id, project_code, device_id, kind, at, reading, start_reading, prev_ratio, next_ratio, reason, by_name, create_time,
        void_reason, void_by, void_at)
      values (${idOf(city.seed, 'meterEntry', projectCode, String(i))}, ${projectCode}, ${meter.id}, ${seed.kind}, ${at}, ${known.reading},
        ${seed.kind === 'change' ? known.reading : null}, ${changes ? before : null}, ${changes ? ratio : null}, ${seed.reason}, '电工', ${at},
        ${seed.voidReason ?? null}, ${gone && '电工'}, ${gone}) on conflict do nothing`.execute(tx)
  }
}

async function settle(tx: Tx, city: City, one: { projectCode: string; kind: 'electric' | 'water'; month: string }): Promise<void> {
  const last = await lastSettled({ db: tx }, one.projectCode, one.kind)
  const price = tariffs[one.kind]
  const rows = await sheetRows({ db: tx }, { ...one, prices: price, ends: last?.ends ?? new Map() })
  if (rows.length === 0) return
  const id = idOf(city.seed, 'meterMonth', one.projectCode, `${one.kind} ${one.month}`)
  // On the morning of the second day after the month.
  const closeTime = startOfDay(`${monthAfter(one.month)}-01`) + dayMs + 9.5 * 3_600_000
  await keepMonth(tx, { id, ...one, ...sumsOfSheet(rows), price, rows, closeBy: '成本员', closeTime })
  const corps = [...new Set(rows.flatMap((row) => (row.corpName ? [row.corpName] : [])))]
  const signed = corps.slice(0, last ? 1 : 2).map((corpName, i) => ({
    corpName,
    signer: signers[i % signers.length],
    result: last && one.kind === 'electric' ? 'objected' : 'agreed',
    remark: last && one.kind === 'electric' ? '生活区电表止表底与现场抄见不符，请复核' : '',
    by: '成本员',
    time: closeTime + 2 * dayMs,
  }))
  await sql`update meter_month set signed = ${JSON.stringify(signed)}::jsonb where id = ${id}`.execute(tx)
}
