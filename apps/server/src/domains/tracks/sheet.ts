import { Readable } from 'node:stream'
import { dayMs } from '@zhugong/contract/kit/time'
import type { DayTrack, trackSheet } from '@zhugong/contract/tracks/calls'
import { formatInstant, startOfDay } from '#kit/clock'
import { type Context, FileAnswer } from '#kit/context'
import { Pdf } from '#kit/pdf'
import type { HandlerOf } from '#kit/serve'
import { dayOf } from './day.ts'
import { keepLook } from './looks.ts'
import { requireBody } from './settings.ts'

const clock = (time: number) => formatInstant(time).slice(11, 16)

/** The day sheet of an officer: stays, checks, kilometres. Taking it out is kept with its purpose. */
export const exportSheet: HandlerOf<typeof trackSheet> = async ({ query: { userId, day, purpose } }, ctx) => {
  requireBody(ctx)
  const from = startOfDay(day)
  const track = await dayOf(ctx, userId, new Date(from), new Date(from + dayMs))
  await keepLook(ctx, { userId, kind: 'sheet', day, purpose })
  ctx.note(`导出监督人员日报 ${day}`, userId)
  const pdf = await draw(ctx, track, day, purpose)
  return new FileAnswer(`监督人员日报_${track.name}_${day}.pdf`, 'application/pdf', Readable.from([await pdf.bytes()]))
}

async function draw(ctx: Context, track: DayTrack, day: string, purpose: string): Promise<Pdf> {
  const pdf = new Pdf({
    title: '监督人员日报',
    subtitle: `${track.name}　${day}`,
    foot: `用途：${purpose}　导出 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['监督人员', track.name],
    ['日期', day],
    ['到场工地', `${new Set(track.stays.map((one) => one.projectCode)).size} 个`],
    ['检查记录', `${track.checks.length} 份`],
    ['行程', `${track.km} km（中断不计）`],
    ['异常位置', `${track.jumps.length} 个`],
  ])
  pdf.heading('到场')
  await pdf.table(
    [
      { title: '工地', width: 44, value: (one) => one.projectName },
      { title: '到达', width: 14, align: 'center', value: (one) => clock(one.from) },
      { title: '离开', width: 14, align: 'center', value: (one) => clock(one.to) },
      { title: '停留（分钟）', width: 14, align: 'center', value: (one) => String(one.minutes) },
      { title: '检查', width: 14, align: 'center', value: (one) => (one.checks.length > 0 ? `${one.checks.length} 份` : '无记录') },
    ],
    track.stays,
  )
  pdf.heading('检查')
  await pdf.table(
    [
      { title: '时间', width: 14, align: 'center', value: (one) => clock(one.time) },
      { title: '工地', width: 40, value: (one) => one.projectName },
      { title: '检查', width: 30, value: (one) => [one.title, one.code].filter(Boolean).join(' ') },
      { title: '到场', width: 16, align: 'center', value: (one) => (one.hasStay ? '在围栏内' : '无到场轨迹') },
    ],
    track.checks,
  )
  return pdf
}
