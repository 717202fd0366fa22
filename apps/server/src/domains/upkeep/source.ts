import { noRepair } from '@zhugong/contract/rectify/repair'
import { itemOf } from '@zhugong/contract/upkeep/items'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { fileIdsOf } from '../files/public.ts'
import { resumeMachine } from '../machines/public.ts'
import { type Answer, type Notice, noticesFrom, registerNoticeSource } from '../rectify/public.ts'
import { deviceInspect, pageOfDefect, pageOfInspection } from './inspect-kind.ts'
import { keepRepair } from './maintain-writes.ts'

/** Notices that come from a check of a machine: their reply is a repair, and their end lets the machine run again. */
export function registerUpkeepSource(): void {
  registerNoticeSource(deviceInspect, {
    title: '设备检查',
    page: pageOfInspection,
    noticePage: pageOfDefect,
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('c.kind', deviceInspect), ...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select c.project_code from site_check c where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    replied,
    settled,
  })
}

interface Checked {
  stayId: string
  machineName: string
  deviceType: string
  maintainCorp: string
}
/** Asked beyond what the caller sees: whoever answers for a defect may not see the machine itself. */
async function checkedOf(ctx: Pick<Context, 'system'>, checkId: string | null): Promise<Checked | undefined> {
  const { rows } = await sql<Checked>`select d.stay_id, d.machine_name, d.device_type, s.maintain_corp from device_inspect d
    join machine_stay s on s.id = d.stay_id where d.check_id = ${checkId}`.execute(ctx.system)
  return rows[0]
}

async function replied(ctx: Context, notice: Notice, lines: readonly Answer[]): Promise<void> {
  const checked = await checkedOf(ctx, notice.sourceId)
  if (!checked) return
  const { rows: problems } = await sql<{ id: string; seq: number; description: string; itemCode: string | null }>`
    select l.id, l.seq, l.description, p.item_code from rectify_line l left join site_check_problem p on p.line_id = l.id
    where l.rectify_id = ${notice.id} order by l.seq`.execute(ctx.db)
  const answered = lines.flatMap((line) => {
    const problem = problems.find((one) => one.id === line.id)
    return problem ? [{ ...line, problem }] : []
  })
  const days = answered.flatMap((one) => one.doneDate ?? [])
  await keepRepair(ctx, {
    projectCode: notice.projectCode,
    corpCode: notice.corpCode,
    machine: { id: checked.stayId, name: checked.machineName, deviceType: checked.deviceType, maintainCorp: checked.maintainCorp },
    rectifyId: notice.id,
    round: notice.returns + 1,
    content: answered
      .map((one) => `${one.problem.description}：${one.measure}`)
      .join('；')
      .slice(0, mostContent),
    day: days.sort().at(-1) ?? formatDay(ctx.clock.now()),
    photos: answered.flatMap((one) => fileIdsOf(one.photos)),
    repairs: answered.map(({ repair, problem }) => ({
      field: `lines.${problem.seq - 1}`,
      repair: repair ?? noRepair,
      name: problem.description,
      isSafety: problem.itemCode !== null && itemOf(checked.deviceType, problem.itemCode)?.safety === true,
    })),
  })
}
const mostContent = 1000

/** When the last notice of a check is settled, its machine is released; it runs again unless something else holds it. */
async function settled(ctx: Context, notice: Notice): Promise<void> {
  const id = notice.sourceId ?? ''
  if ((await noticesFrom(ctx, deviceInspect, id)).some((one) => one.open)) return
  const { rows } = await sql<{ stayId: string; code: string }>`update device_inspect d set released_at = ${new Date(ctx.clock.now())}
    from site_check c where c.id = d.check_id and d.check_id = ${id} and d.suspended_at is not null and d.released_at is null and d.result <> '4'
    returning d.stay_id, c.code`.execute(ctx.db)
  const released = rows[0]
  if (!released) return
  const suspended =
    await sql`select from device_inspect where stay_id = ${released.stayId} and suspended_at is not null and released_at is null limit 1`.execute(
      ctx.db,
    )
  if (suspended.rows.length > 0) return
  await resumeMachine(ctx, { stayId: released.stayId }, { by: 'check', reason: `设备检查 ${released.code} 复查合格` })
}
