import { createHash } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { coverNames, directionNames, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { evidenceHours, truckEvidence } from '@zhugong/contract/monitoring/vehicle/vehicles'
import { ringsOf } from '@zhugong/contract/organisation/fence'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { drawCurve } from '#kit/pdf-curve'
import { drawMap, type MapPicture } from '#kit/pdf-map'
import { type ListContext, type PrintContext, registerPrint } from '../../exports/registry.ts'
import { fileIdsOf, filesOfSite } from '../../files/public.ts'
import { passagePage } from '../gateway/passages.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { textOr } from '../shared/family.ts'
import { ticketPage } from '../weigh/ticket-store.ts'
import { family } from './truck-track-thread.ts'
import { truckTrack } from './vehicles.ts'

type Query = z.output<typeof truckEvidence>

/** More points than a terminal reporting every five seconds sends in a day: nothing is thinned. */
const mostPoints = 20_000
/** Readings are printed this long before and after each alarm and tipping. */
const aroundMs = 2 * 60_000
const mostReadings = 400
const mostBeside = 100
const mapHeight = 300
const curveHeight = 110
/** As on the map: a gap of this length interrupts the line. */
const brokenMs = 10 * 60_000
/** More pictures make the file heavy without proving more. */
const mostPhotos = 12
const digestShown = 32

/** Printed evidence of a truck's trip: map, alarms, tippings, readings around them, passages and tickets. */
export function registerTruckEvidence(): void {
  registerPrint({ feature: 'truckEvidence', title: '车辆轨迹证据单', query: truckEvidence as z.ZodType<Query>, draw })
}

interface Around {
  name: string
  kind: string
  points: [number, number][]
}
async function placesAround(ctx: ListContext, projectCode: string): Promise<{ fences: Around[]; site: unknown; projectName: string }> {
  const fences =
    await sql<Around>`select name, kind, points from vehicle_fence where project_code = ${projectCode} and kind <> 'route'`.execute(ctx.db)
  const { rows } = await sql<{ areaRule: unknown; name: string }>`
    select area_rule, name from project where project_code = ${projectCode}`.execute(ctx.db)
  return { fences: fences.rows, site: rows[0]?.areaRule, projectName: rows[0]?.name ?? projectCode }
}

const words = (metric: string) => {
  const values = familyOf(family)?.metric(metric)?.values
  return (value: string | null) => (value === null ? null : (values?.[value] ?? value))
}
const loads = words('loadState')
const covers = words('cover')
const lifts = words('lift')

async function draw(ctx: PrintContext, query: Query): Promise<Pdf> {
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = { from: parseInstant(query.startTime) ?? 0, to: parseInstant(query.endTime) ?? 0 }
  if (period.to <= period.from || period.to - period.from > evidenceHours * 3_600_000)
    throw new AppError('invalidInput', `证据单的时段应在 ${evidenceHours} 小时以内`, { field: 'endTime' })
  const track = await truckTrack(ctx, row, period, mostPoints)
  const points = track.segments.flat()
  if (points.length === 0) throw new AppError('refused', '这段时间没有位置，不能出具证据单')
  const { fences, site, projectName } = await placesAround(ctx, row.projectCode)
  const plateNo = textOr(row.params.plateNo) ?? row.name
  const outside = track.tips.filter((one) => !one.onSite && one.dump === null)
  const digest = createHash('sha256')
    .update(points.map((p) => [p.time, p.lng, p.lat, p.speed, p.load, p.cover, p.lift].join(',')).join('\n'))
    .digest('hex')
    .slice(0, digestShown)
  const span = `${formatInstant(period.from)} 至 ${formatInstant(period.to)}`
  const pdf = new Pdf({
    title: '车辆轨迹证据单',
    subtitle: `${plateNo}　${span}`,
    paper: 'A4',
    foot: `轨迹校验码 ${digest}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['车牌', plateNo],
    ['车载终端', row.deviceSn],
    ['项目', projectName],
    ['里程', `${track.distanceKm.toFixed(1)} km`],
    ['最高速度', track.maxSpeed === null ? null : `${track.maxSpeed.toFixed(0)} km/h`],
    ['位置', `${points.length} 点，剔除漂移 ${track.jumps} 点，补传 ${points.filter((p) => p.late).length} 点`],
    ['断线', `${track.segments.length - 1} 处（超过 10 分钟没有位置，图上不连线）`],
    ['消纳场外倾倒', `${outside.length} 处，共举升 ${track.tips.length} 处`],
  ])
  pdf.heading('线路')
  drawMap(pdf, {
    height: mapHeight,
    lines: track.segments.map((segment) => segment.map((p) => [p.lng, p.lat] as const)),
    areas: [
      ...ringsOf(site).map((ring) => ({ ring, label: projectName, tone: 'plain' as const })),
      ...fences.map((one) => ({
        ring: one.points,
        label: one.name,
        tone: one.kind === 'forbidden' ? ('danger' as const) : ('fine' as const),
      })),
    ],
    marks: marksOf(track),
  })
  pdf.small('按 WGS-84 坐标等比绘制，绿色为消纳场，红色区域为禁行区；不含底图。')
  const speeds = points.flatMap((p) => (p.speed === null ? [] : [{ time: p.time, value: p.speed }]))
  if (speeds.length > 1) {
    pdf.heading('速度')
    const marks = [...track.alarms, ...track.tips].map((one) => one.time)
    drawCurve(pdf, { height: curveHeight, unit: 'km/h', points: speeds, gapMs: brokenMs, marks })
    pdf.small('红线为告警与举升的时刻。')
  }
  await tableOf(pdf, '行程', track.trips, [
    { title: '开始', width: 18, value: (one) => formatInstant(one.startTime) },
    { title: '结束', width: 18, value: (one) => formatInstant(one.endTime) },
    { title: '起点', width: 20, value: (one) => one.startPlace },
    { title: '终点', width: 20, value: (one) => one.endPlace },
    { title: '里程 km', width: 9, align: 'right', value: (one) => one.distanceKm.toFixed(1) },
    { title: '未密闭 分', width: 9, align: 'right', value: (one) => one.uncoveredMinutes.toFixed(0) },
  ])
  await tableOf(pdf, '期间告警', track.alarms, [
    { title: '时间', width: 18, value: (one) => formatInstant(one.time) },
    { title: '告警', width: 24, value: (one) => one.label },
    { title: '等级', width: 8, value: (one) => `${one.level} 级` },
    { title: '位置', width: 24, value: (one) => (one.lng === undefined || one.lat === undefined ? null : placeWords(one.lng, one.lat)) },
  ])
  await tableOf(pdf, '举升与倾倒', track.tips, [
    { title: '时间', width: 18, value: (one) => formatInstant(one.time) },
    { title: '地点', width: 24, value: (one) => one.dump ?? (one.onSite ? '工地内' : '消纳场外') },
    { title: '位置', width: 24, value: (one) => placeWords(one.lng, one.lat) },
  ])
  const moments = [...track.alarms, ...track.tips].map((one) => one.time)
  const readings = points.filter((p) => moments.some((at) => Math.abs(p.time - at) <= aroundMs))
  await tableOf(pdf, `告警与举升前后 ${aroundMs / 60_000} 分的读数`, readings.slice(0, mostReadings), [
    { title: '时间', width: 18, value: (one) => formatInstant(one.time) },
    { title: '位置', width: 22, value: (one) => placeWords(one.lng, one.lat) },
    { title: '速度 km/h', width: 10, align: 'right', value: (one) => one.speed?.toFixed(0) },
    { title: '载重', width: 9, value: (one) => loads(one.load) },
    { title: '篷布', width: 9, value: (one) => covers(one.cover) },
    { title: '举升', width: 9, value: (one) => lifts(one.lift) },
    { title: '补传', width: 7, value: (one) => (one.late ? '是' : '') },
  ])
  if (readings.length > mostReadings) pdf.small(`共 ${readings.length} 条，列出前 ${mostReadings} 条。`)
  await drawBeside(ctx, pdf, plateNo, { projectCode: row.projectCode, startTime: query.startTime, endTime: query.endTime })
  pdf.small('轨迹校验码由全部位置、速度与载货状态计算，与平台上同一时段的轨迹相同即未被改动。')
  pdf.signatures(['调查人', '复核人', '当事人'])
  return pdf
}

const placeWords = (lng: number, lat: number) => `${lng.toFixed(6)}, ${lat.toFixed(6)}`

function marksOf(track: Awaited<ReturnType<typeof truckTrack>>): MapPicture['marks'] {
  const [first, last] = [track.segments[0]?.[0], track.segments.at(-1)?.at(-1)]
  const clock = (time: number) => formatInstant(time).slice(11, 16)
  return [
    ...(first ? [{ at: [first.lng, first.lat] as const, label: `起 ${clock(first.time)}`, tone: 'plain' as const }] : []),
    ...(last ? [{ at: [last.lng, last.lat] as const, label: `止 ${clock(last.time)}`, tone: 'plain' as const }] : []),
    ...track.tips.map((one) => ({
      at: [one.lng, one.lat] as const,
      label: `倾倒 ${clock(one.time)}`,
      tone: one.onSite || one.dump !== null ? ('fine' as const) : ('danger' as const),
    })),
    ...track.alarms.flatMap((one) =>
      one.lng === undefined || one.lat === undefined
        ? []
        : [{ at: [one.lng, one.lat] as const, label: `${one.label} ${clock(one.time)}`, tone: 'danger' as const }],
    ),
  ]
}

/** A heading and its table; neither without rows. */
async function tableOf<Row>(pdf: Pdf, title: string, rows: readonly Row[], columns: Parameters<typeof pdf.table<Row>>[0]): Promise<void> {
  if (rows.length === 0) return
  pdf.heading(title)
  await pdf.table(columns, rows)
}

/** Passages and tickets of the plate on the same site in the same period, if the caller may read them. */
async function drawBeside(
  ctx: PrintContext,
  pdf: Pdf,
  plateNo: string,
  span: { projectCode: string; startTime: string; endTime: string },
): Promise<void> {
  const request = { ...span, plateNo, page: 1, size: mostBeside }
  const photos: Photo[] = []
  if (ctx.codes.has('vehicle-access.view')) {
    const { list } = await passagePage(ctx, { ...request, tab: 'all' })
    await tableOf(pdf, '大门通行', list, [
      { title: '时间', width: 18, value: (one) => formatInstant(one.time) },
      { title: '大门', width: 20, value: (one) => one.gateName },
      { title: '方向', width: 8, value: (one) => directionNames[one.direction] },
      { title: '冲洗', width: 10, value: (one) => washNames[one.washState ?? ''] },
      { title: '密闭', width: 10, value: (one) => coverNames[one.coverState ?? ''] },
    ])
    for (const one of list)
      for (const link of [one.photo, one.platePhoto])
        if (link)
          photos.push({ link, time: one.time, caption: `${formatInstant(one.time)} ${one.gateName}${directionNames[one.direction] ?? ''}` })
  }
  if (ctx.codes.has('weighbridge.view')) photos.push(...(await drawTickets(ctx, pdf, request)))
  await drawPhotos(ctx, pdf, span.projectCode, photos)
}

type TicketQuery = Parameters<typeof ticketPage>[1]

async function drawTickets(ctx: PrintContext, pdf: Pdf, query: TicketQuery): Promise<Photo[]> {
  const { list } = await ticketPage(ctx, query)
  await tableOf(pdf, '过磅', list, [
    { title: '时间', width: 18, value: (one) => formatInstant(one.time) },
    { title: '磅单号', width: 22, value: (one) => one.billNo },
    { title: '货物', width: 14, value: (one) => one.material },
    { title: '毛重 t', width: 9, align: 'right', value: (one) => one.grossWeight?.toFixed(3) },
    { title: '皮重 t', width: 9, align: 'right', value: (one) => one.tareWeight?.toFixed(3) },
    { title: '实重 t', width: 9, align: 'right', value: (one) => one.actualWeight?.toFixed(3) },
  ])
  return list.flatMap((one) =>
    one.photos.map((link) => ({ link, time: one.time, caption: `${formatInstant(one.time)} 磅单 ${one.billNo ?? '--'}` })),
  )
}

interface Photo {
  link: string
  time: number
  caption: string
}

/** Stored pictures of gate and weighbridge cameras. */
async function drawPhotos(ctx: PrintContext, pdf: Pdf, projectCode: string, photos: readonly Photo[]): Promise<void> {
  const own = new Set(
    await filesOfSite(
      ctx,
      projectCode,
      photos.map((one) => one.link),
    ),
  )
  const found: { body: Buffer; caption: string }[] = []
  for (const one of [...photos].sort((a, b) => a.time - b.time)) {
    if (found.length === mostPhotos) break
    const [id] = fileIdsOf([one.link])
    const body = id !== undefined && own.has(id) ? await ctx.picture(id) : undefined
    if (body) found.push({ body, caption: one.caption })
  }
  if (found.length === 0) return
  pdf.heading('照片')
  pdf.pictures(found)
}
