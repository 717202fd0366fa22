import type { CatalogueItem } from '@zhugong/contract/fire/catalogue'
import { subOf } from '@zhugong/contract/fire/catalogue'
import { type JudgedBuild, judgeBuild } from '@zhugong/contract/fire/judge'
import { judgeAll } from '@zhugong/contract/fire/rule'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { itemsOf } from './catalogue.ts'

type Reader = Pick<Context, 'db'>

export async function buildsOf(ctx: Reader, caseId: string): Promise<Row<'fireBuild'>[]> {
  const { rows } = await sql<Row<'fireBuild'>>`select * from fire_build where case_id = ${caseId} order by seq`.execute(ctx.db)
  return rows
}
export async function roundsOf(ctx: Reader, caseId: string): Promise<Row<'fireRound'>[]> {
  const { rows } = await sql<Row<'fireRound'>>`select * from fire_round where case_id = ${caseId} order by round`.execute(ctx.db)
  return rows
}
/** Every entry, the oldest first. */
export async function entriesOf(ctx: Reader, caseId: string, buildId?: string): Promise<Row<'firePoint'>[]> {
  const { rows } = await sql<Row<'firePoint'>>`select * from fire_point where case_id = ${caseId}
    ${buildId ? sql`and build_id = ${buildId}` : sql``} order by at, id`.execute(ctx.db)
  return rows
}
export async function subsOf(ctx: Reader, caseId: string): Promise<Row<'fireSub'>[]> {
  const { rows } = await sql<Row<'fireSub'>>`select * from fire_sub where case_id = ${caseId}`.execute(ctx.db)
  return rows
}

export interface JudgedRound {
  items: CatalogueItem[]
  builds: { build: Row<'fireBuild'>; judged: JudgedBuild }[]
  judged: ReturnType<typeof judgeAll>
  subsDone: number
  subsTotal: number
}
/** The sub-items of a building that a 复评 looks at; null: all. */
export const onlyOf = (only: readonly string[] | null, buildId: string): string[] | null =>
  only === null ? null : only.filter((one) => one.startsWith(`${buildId} `)).map((one) => one.slice(buildId.length + 1))

/** Judges a round from everything that was written in it. Buildings that a 复评 does not look at are left out. */
export async function judgeRound(
  ctx: Reader,
  row: { id: string; catalogueId: string | null },
  round: Pick<Row<'fireRound'>, 'round' | 'onlySubs'>,
): Promise<JudgedRound> {
  const items = await itemsOf(ctx, row.catalogueId)
  const entries = (await entriesOf(ctx, row.id)).filter((one) => one.round === round.round)
  const subs = (await subsOf(ctx, row.id)).filter((one) => one.round === round.round)
  const builds = (await buildsOf(ctx, row.id)).flatMap((build) => {
    const only = onlyOf(round.onlySubs, build.id)
    if (only?.length === 0) return []
    const of = <T extends { buildId: string }>(all: T[]) => all.filter((one) => one.buildId === build.id)
    return [{ build, judged: judgeBuild(items, build, of(entries), of(subs), only) }]
  })
  return {
    items,
    builds,
    judged: judgeAll(builds.map(({ build, judged }) => ({ code: build.id, judged: judged.judged }))),
    subsDone: builds.reduce((n, one) => n + one.judged.subsDone, 0),
    subsTotal: builds.reduce((n, one) => n + one.judged.subsTotal, 0),
  }
}

/** Keeps the running verdict beside the round, so that lists and figures need not judge. */
export async function keepJudgement(ctx: Reader, row: { id: string; catalogueId: string | null; round: number }): Promise<void> {
  const round = (await roundsOf(ctx, row.id)).find((one) => one.round === row.round)
  if (!round) return
  const { judged, subsDone, subsTotal } = await judgeRound(ctx, row, round)
  await sql`update fire_round set verdict = ${judged.verdict}, line = ${judged.line}, causes = ${judged.causes}, subs_done = ${subsDone},
    subs_total = ${subsTotal} where case_id = ${row.id} and round = ${row.round}`.execute(ctx.db)
}

/** Failed sub-items of a judged round, as `build sub`. */
export const failedSubs = ({ builds }: JudgedRound): string[] =>
  builds.flatMap(({ build, judged }) =>
    judged.projects.flatMap((project) =>
      project.subs.filter((one) => one.judged.verdict === 'fail').map((one) => `${build.id} ${one.code}`),
    ),
  )

/** The findings that hold and are not right, in the failed sub-items or everywhere. */
export function problemsOf(entries: readonly Row<'firePoint'>[], failed: readonly string[] | null): Row<'firePoint'>[] {
  const latest = new Map<string, Row<'firePoint'>>()
  for (const one of entries) latest.set(`${one.round} ${one.buildId} ${one.itemCode} ${one.checkPart}`, one)
  return [...latest.values()].filter(
    (one) => (one.result === '2' || one.productFail) && (failed === null || failed.includes(`${one.buildId} ${subOf(one.itemCode)}`)),
  )
}
