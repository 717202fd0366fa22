import { moduleOfFamily } from '@zhugong/contract/exports/codes'
import { numericRange, ref } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { type Family, families } from '@zhugong/contract/telemetry/families'
import type { Field } from '@zhugong/contract/telemetry/field'
import { periodQuery, type ReadingView } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, condition, equals, inProjects } from '#kit/list'
import { type ExportColumn, type ListContext, registerExport } from '../../exports/registry.ts'
import { drivenFor, isPersonal, personalKeys, type ReadingRow, recordsOfSeen, toReading } from '../../readings/public.ts'
import { getDeviceRow } from './devices.ts'
import { rangesWhere } from './family-reads.ts'
import { periodOf } from './period.ts'
import { type RecordRow, recordColumns, recordsWhere, recordTables } from './records.ts'

const pageRows = 1_000
const mostReadingDays = 31
const mostRecordDays = 400

/** Fields never exported, besides personal data of wearers. */
const kept = new Set(['driverIdCard'])

const field = (key: string, label: string, type: Field['type'], unit = ''): Field => ({ key, label, type, unit })
/** Fields of records that the catalogue describes only in a sentence. */
const unlisted: Readonly<Record<string, readonly Field[]>> = {
  snapshot: [field('time', '拍摄时间', 'datetime'), field('trigger', '触发', 'string'), field('url', '图片', 'string')],
  video: [
    field('startTime', '开始', 'datetime'),
    field('endTime', '结束', 'datetime'),
    field('size', '大小', 'number', '字节'),
    field('trigger', '触发', 'string'),
  ],
  call: [
    field('startTime', '开始', 'datetime'),
    field('endTime', '结束', 'datetime'),
    field('peer', '对方', 'string'),
    field('result', '结果', 'string'),
  ],
  videoClip: [
    field('channel', '通道', 'string'),
    field('startTime', '开始', 'datetime'),
    field('endTime', '结束', 'datetime'),
    field('size', '大小', 'number', '字节'),
    field('alarm', '报警', 'string'),
  ],
}

const worded = (field: Field, value: unknown): string | number | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (field.type === 'datetime') {
    const at = typeof value === 'number' ? value : Date.parse(String(value))
    return Number.isNaN(at) ? String(value) : formatInstant(at)
  }
  if (field.values) return field.values[String(value)] ?? String(value)
  return typeof value === 'number' ? value : String(value)
}

const header = (field: Field): string => (field.unit ? `${field.label}（${field.unit}）` : field.label)
const fieldsFor = (family: Family, fields: readonly Field[]) =>
  fields.filter((f) => !kept.has(f.key) && !personalKeys(family.key).includes(f.key))

/** Registers the exports of readings and records of every family. */
export function registerFamilyExports(): void {
  for (const family of families) {
    if (!moduleOfFamily[family.key]) continue
    registerReadings(family)
    for (const record of family.records) {
      const fields = record.fields.length ? record.fields : (unlisted[record.key] ?? [])
      if (fields.length) registerRecords(family, { ...record, fields })
    }
  }
}

/** Range filters for the numeric metrics of a family, so that an export can be filtered like the list. */
const rangesOf = (family: Family): Record<string, z.ZodType> =>
  Object.fromEntries(family.metrics.filter((m) => m.type === 'number' || m.type === 'integer').map((m) => [m.key, numericRange.optional()]))

type ReadingExportRow = ReadingView & { deviceName: string }

function registerReadings(family: Family): void {
  const columns: ExportColumn<ReadingExportRow>[] = [
    { key: 'deviceName', title: '设备', value: (r) => r.deviceName },
    { key: 'time', title: '时间', width: 20, value: (r) => formatInstant(r.time) },
    ...fieldsFor(family, family.metrics).map(
      (f): ExportColumn<ReadingExportRow> => ({ key: f.key, title: header(f), value: (r) => worded(f, r.values[f.key]) }),
    ),
    {
      key: 'quality',
      title: '数据质量',
      value: (r) =>
        Object.keys(r.quality ?? {})
          .map((key) => family.metric(key)?.label ?? key)
          .join('、') || null,
    },
    { key: 'late', title: '补传', value: (r) => (r.flag === 1 ? '补传' : null) },
    { key: 'receivedAt', title: '接收时间', width: 20, value: (r) => formatInstant(r.receivedAt) },
  ]
  const periodFor = (ctx: ListContext, query: { startTime?: string | undefined; endTime?: string | undefined }) =>
    periodOf(query, ctx.clock.now(), dayMs, mostReadingDays * dayMs)
  registerExport({
    feature: `readings.${family.key}`,
    title: `${family.name}监测记录`,
    query: periodQuery.extend({ deviceId: ref('device') }).and(z.object(rangesOf(family))),
    columns,
    async *rows(ctx, query) {
      const device = await deviceOf(ctx, query.deviceId, family.key)
      const period = periodFor(ctx, query)
      const only = rangesWhere(family.key, query) ?? allOf()
      let after = new Date(period.from - 1)
      let seq = 0
      for (;;) {
        const { rows } = await sql<ReadingRow>`
          select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry t
          where device_id = ${device.id} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and (ts, seq) > (${after}, ${seq}) and ${only}
          order by ts, seq limit ${pageRows}`.execute(ctx.db)
        for (const row of rows) yield drivenFor(ctx, { ...toReading(family.key, row), deviceName: device.name })
        const last = rows.at(-1)
        if (rows.length < pageRows || !last) return
        after = last.ts
        seq = last.seq
      }
    },
    async count(ctx, query) {
      const device = await deviceOf(ctx, query.deviceId, family.key)
      const period = periodFor(ctx, query)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from telemetry t where device_id = ${device.id} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)}
          and ${rangesWhere(family.key, query) ?? allOf()}`.execute(ctx.db)
      return rows[0]?.n ?? 0
    },
  })
}

const deviceOf = (ctx: ListContext, id: string, family: string) =>
  getDeviceRow(ctx as Pick<Context, 'db' | 'scope' | 'scopeChecks'>, id, family)

function registerRecords(family: Family, record: Family['records'][number]): void {
  const columns: ExportColumn<RecordRow>[] = [
    { key: 'projectName', title: '项目', width: 28, value: (r) => r.projectName },
    { key: 'deviceName', title: '设备', value: (r) => r.deviceName },
    { key: 'recordTime', title: '记录时间', width: 20, value: (r) => formatInstant(r.ts) },
    ...fieldsFor(family, record.fields).map(
      (f): ExportColumn<RecordRow> => ({ key: f.key, title: header(f), value: (r) => worded(f, r.data[f.key]) }),
    ),
    { key: 'receivedAt', title: '接收时间', width: 20, value: (r) => formatInstant(r.receivedAt) },
  ]
  const where = (
    ctx: ListContext,
    query: {
      projectCode?: string | undefined
      deviceId?: string | undefined
      startTime?: string | undefined
      endTime?: string | undefined
    },
  ) =>
    allOf(
      recordsWhere({
        record: record.key,
        projects: projectsFor(ctx, query.projectCode),
        deviceId: query.deviceId,
        period: periodOf(query, ctx.clock.now(), 7 * dayMs, mostRecordDays * dayMs),
      }),
      ...equals('d.family', family.key),
      ...(isPersonal(family.key) ? [recordsOfSeen(ctx)] : []),
      ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
    )
  registerExport({
    feature: `records.${family.key}.${record.key}`,
    title: `${family.name}${record.label}`,
    query: periodQuery,
    columns,
    async *rows(ctx, query) {
      const condition = where(ctx, query)
      let after: RecordRow | undefined
      for (;;) {
        const { rows } = await sql<RecordRow>`
          select ${recordColumns} from ${recordTables} where ${condition}
            ${after ? sql`and (r.ts, r.device_id, r.id) > (${after.ts}, ${after.deviceId}, ${after.id})` : sql``}
          order by r.ts, r.device_id, r.id limit ${pageRows}`.execute(ctx.db)
        for (const row of rows) yield { ...row, data: drivenFor(ctx, row.data) }
        if (rows.length < pageRows) return
        after = rows.at(-1)
      }
    },
    async count(ctx, query) {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from ${recordTables} where ${condition(where(ctx, query))}`.execute(ctx.db)
      return rows[0]?.n ?? 0
    },
  })
}
