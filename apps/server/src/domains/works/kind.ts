import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type WorkAction, type WorkState, workMoves } from '@zhugong/contract/works/moves'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { hasSupervisor, openFrom } from '../rectify/public.ts'
import { missingFor, type Work } from './missing.ts'
import { readPeople, signedSeats, workSeats } from './seats.ts'

export const source = 'bigproject'

/** 危大工程: registered and carried out by the building side, audited by 监理, overseen by the authority. */
export const workKind: Kind<Work, typeof workMoves> & { seats: (ctx: Pick<Context, 'db'>, row: Work) => ReturnType<typeof workSeats> } = {
  kind: source,
  noun: '危大工程',
  table: 'bigproject',
  moves: workMoves,
  stateName: (state) => dictName('bigProjectState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'bigproject'>>`select * from bigproject where id = ${id} for update`.execute(ctx.db)
    return withFacts(ctx, found(rows[0], '危大工程'))
  },
  turns: {
    // The part in the project decides which company: `own` in the moves. 监理 acts for its own records only.
    builder: (ctx, row) => ctx.group.type === groupTypes.project || (ctx.group.type === groupTypes.corporation && isBuilder(ctx, row)),
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
    authority: (ctx) => ctx.group.type === groupTypes.government,
  },
  hinder: (_ctx, row, action) => {
    const missing = missingFor(row, action)
    return missing.length > 0 ? missing.map((one) => one.text).join('，') : undefined
  },
  seats: workSeats,
  todos: (row) => todosOf(row),
}

const isBuilder = ({ principal: { scope } }: Pick<Context, 'principal'>, row: { projectCode: string; corpCode: string | null }) =>
  !scope.supervised.includes(row.projectCode) || (row.corpCode !== null && scope.corps.includes(row.corpCode))

/** A row with what its guards ask. */
export async function withFacts(ctx: Context, row: Row<'bigproject'>): Promise<Work> {
  const people = await readPeople(ctx, row.id)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from bigproject_device where work_id = ${row.id}`.execute(ctx.db)
  const names = (kind: string) => people.filter((one) => one.kind === kind).map((one) => one.name)
  return {
    ...row,
    facts: {
      receivers: names('receiver'),
      inspectors: names('inspector'),
      devices: rows[0]?.n ?? 0,
      signed: await signedSeats(ctx, row),
      open: await openFrom(ctx, source, row.id),
      supervised: await hasSupervisor(ctx, row.projectCode),
    },
  }
}

type Doer = Pick<Todo, 'turn' | 'codes'> & { verb: string; due: (row: Row<'bigproject'>) => string | null }
const builds = { turn: 'responsible', codes: [workMoves.save.needs] }
const judges = { turn: 'supervisor', codes: [workMoves.pass.needs] }
const never = () => null
const begins = (row: Row<'bigproject'>) => row.planStartDate

/** Who has to act on a work in this state. */
function doerOf(row: Row<'bigproject'>): Doer | undefined {
  const doers: Partial<Record<WorkState, Doer>> = {
    0: { ...builds, verb: '编制专项方案', due: begins },
    1: { ...builds, verb: '提交专项方案', due: begins },
    2: { ...judges, verb: '审查专项方案', due: begins },
    3:
      row.reviewResult === 'changed'
        ? row.revisionFiles.length > 0
          ? { ...judges, verb: '审查修改后的方案', due: begins }
          : { ...builds, verb: '按专家意见修改方案', due: begins }
        : { ...builds, verb: '组织专家论证', due: begins },
    4: { ...builds, verb: '重新编制方案', due: begins },
    5: { ...builds, verb: '交底并开始实施', due: begins },
    6: { ...builds, verb: '完成实施', due: (one) => one.planEndDate },
    7: row.acceptDate === null ? { ...builds, verb: '组织验收', due: never } : { ...judges, verb: '验收', due: never },
    8: { ...builds, verb: '销项', due: never },
  }
  return doers[row.state as WorkState]
}

function todosOf(row: Row<'bigproject'>): Todo[] {
  const doer = doerOf(row)
  if (!doer) return []
  const { turn, codes, verb, due } = doer
  return [{ turn, codes, title: `${verb}：${row.name}`, link: pageOf(row.id), due: due(row) }]
}

export const pageOf = (id: string): string => `/jgt/bigproject/details?id=${id}`

/** Names of the steps in a work's history. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(workMoves).map(([action, { label }]) => [action, label])),
  create: '登记',
} satisfies Partial<Record<WorkAction | 'create', string>> & Record<string, string>
