import { AppError } from '@zhugong/contract/kit/errors'
import { doorCard, residentList, roomList } from '@zhugong/contract/residence/calls'
import { usages } from '@zhugong/contract/residence/rules'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { Pdf } from '#kit/pdf'
import { exportOf, registerPrint } from '../exports/registry.ts'
import { countResidents, countRooms, readResidents, readRooms, residentConditions, roomConditions } from './rows.ts'

export function registerResidenceExports(): void {
  exportOf(
    roomList,
    {
      title: '生活区房间',
      widths: { projectName: 28, warnings: 36, lastCheck: 20 },
      async *rows(ctx, query) {
        yield* await readRooms(ctx, roomConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRooms(ctx, roomConditions(ctx, query)),
    },
    {
      type: (r) => r.typeName,
      usage: (r) => (r.usage ? (usages[r.usage] ?? '') : ''),
      warnings: (r) => r.warnings.join('；'),
    },
  )
  exportOf(
    residentList,
    {
      title: '在住人员',
      widths: { projectName: 28, room: 24 },
      async *rows(ctx, query) {
        yield* await readResidents(ctx, residentConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countResidents(ctx, residentConditions(ctx, query)),
    },
    { leftOver: (s) => (s.leftOver ? '已退场未退宿' : '在住') },
  )
  // On the door stand names and gangs, and nothing else of a person.
  registerPrint({
    feature: 'doorCard',
    title: '宿舍门牌卡',
    query: doorCard as z.ZodType<z.output<typeof doorCard>>,
    draw: async (ctx, { id }) => {
      const [row] = await readRooms(ctx, allOf(...equals('r.id', id), ...inProjects('r.projectCode', projectsFor(ctx))), {})
      const room = found(row, '房间')
      if (room.beds === 0) throw new AppError('refused', '只有宿舍打印门牌卡')
      type Named = { bed: number; name: string; teamName: string | null }
      const { rows } = await sql<Named>`select s.bed, s.name, (select t.team_name from project_worker w join team t on t.id = w.team_id
          where w.project_code = s.project_code and w.worker_id = s.worker_id order by w.entry_time desc limit 1) as team_name
        from room_stay s where s.room_id = ${id} and s.to_day is null order by s.bed`.execute(ctx.db)
      const pdf = new Pdf({
        title: `${room.buildingName} ${room.roomNo}`,
        subtitle: room.projectName,
        foot: `打印 ${formatInstant(ctx.clock.now())}`,
      })
      pdf.facts([
        ['管理员', room.manager],
        ['床位', `${room.occupied} / ${room.beds}`],
      ])
      await pdf.table(
        [
          { title: '床号', width: 20, align: 'center', value: (p) => p.bed },
          { title: '姓名', width: 40, value: (p) => p.name },
          { title: '班组', width: 40, value: (p) => p.teamName },
        ],
        rows,
      )
      return pdf
    },
  })
}
