import { confirmedStages, type MachineAction, machineMoves } from '@zhugong/contract/machines/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { condition } from '#kit/list'
import type { Kind, Todo } from '../process/public.ts'
import { everyStay } from './facts.ts'
import { type Machine, missingFor } from './missing.ts'
import { machineSeats, unsignedParties } from './seats.ts'

export const source = 'spdevice'

/** 建筑起重机械 on a site: filed, installed, tested and used by the site, confirmed and registered by the authority. */
export const machineKind: Kind<Machine, typeof machineMoves> & { seats: typeof machineSeats } = {
  kind: source,
  noun: '设备',
  table: 'machineStay',
  moves: machineMoves,
  stateName: (state) => dictName('deviceLifecycle', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<{ id: string }>`select id from machine_stay where id = ${id} for update`.execute(ctx.db)
    found(rows[0], '设备')
    return readMachine(ctx, id)
  },
  turns: {
    // The part in the project decides which company: `own` in the moves. 监理 acts for its own records only.
    site: (ctx, row) => ctx.group.type === groupTypes.project || (ctx.group.type === groupTypes.corporation && isBuilder(ctx, row)),
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
    authority: (ctx) => ctx.group.type === groupTypes.government,
  },
  hinder: (_ctx, row, action) => {
    const missing = missingFor(row, action)
    return missing.length > 0 ? missing.join('，') : undefined
  },
  seats: machineSeats,
  todos: (row) => todosOf(row),
}

const isBuilder = ({ principal: { scope } }: Pick<Context, 'principal'>, row: { projectCode: string; corpCode: string | null }) =>
  !scope.supervised.includes(row.projectCode) || (row.corpCode !== null && scope.corps.includes(row.corpCode))

/** @throws AppError `notFound` */
export async function readMachine(ctx: Pick<Context, 'db' | 'clock'>, id: string): Promise<Machine> {
  const stays = everyStay(ctx, condition(sql`s.id = ${id}`))
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<Omit<Machine, 'unsigned'>>`select s.*, i.installers, i.bad_installers from ${stays}
    cross join lateral (select count(*)::int as installers, (count(*) filter (where k.ends is null or k.ends < ${today}::date))::int as bad_installers
      from zg_machine_crew(s.id, 'installer') k) i`.execute(ctx.db)
  const row = found(rows[0], '设备')
  return { ...row, unsigned: await unsignedParties(ctx, row) }
}

type ToDo = Pick<Row<'machineStay'>, 'id' | 'state' | 'confirmedAt' | 'nextInspectDate' | 'installDate'> & { name: string }

type Doer = Pick<Todo, 'turn' | 'codes'>
const site: Doer = { turn: 'responsible', codes: [machineMoves.save.needs] }
const authority: Doer = { turn: 'authority', codes: [machineMoves.confirm.needs] }
const verbs: Readonly<Record<string, string>> = {
  0: '办理产权备案',
  1: '办理安装告知',
  2: '开始安装',
  3: '完成自检',
  4: '检测并联合验收',
  7: '处理停用',
  8: '完成拆除',
}

export function todosOf(row: ToDo): Todo[] {
  const link = pageOf(row.id)
  const one = (who: Doer, verb: string, due: string | null = null): Todo => ({ ...who, title: `${verb}：${row.name}`, link, due })
  if (confirmedStages.some((state) => state === row.state) && row.confirmedAt === null)
    return [one(authority, `确认${row.state === '1' ? '产权备案' : row.state === '2' ? '安装告知' : '拆卸告知'}`)]
  if (row.state === '5') return [one(authority, '办理使用登记')]
  if (row.state === '6') return row.nextInspectDate === null ? [] : [one(site, '定期检测', row.nextInspectDate)]
  const verb = verbs[row.state]
  return verb ? [one(site, verb)] : []
}

export const pageOf = (id: string): string => `/jgt/spdevice/details?id=${id}`

/** Names of the steps in a machine's history. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(machineMoves).map(([action, { label }]) => [action, label])),
  create: '新增',
  arrive: '转入本项目',
  autoSuspend: '自动停用',
  autoResume: '自动恢复',
} satisfies Partial<Record<MachineAction, string>> & Record<string, string>
