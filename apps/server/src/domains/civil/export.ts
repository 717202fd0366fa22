import { civilList, civilZip } from '@zhugong/contract/civil/inspection'
import { civilItemList } from '@zhugong/contract/scoring/library'
import { sql } from 'kysely'
import type { z } from 'zod'
import { countChecks, problemsOf, registerPatrolPrint } from '../checks/public.ts'
import { exportOf } from '../exports/registry.ts'
import { sheetsOf } from '../scoring/public.ts'
import { pointsWalked } from './calls.ts'
import { readItems } from './library-calls.ts'
import { civilKind, civilPatrol } from './patrol.ts'
import { conditions, readCivil } from './rows.ts'
import { scoreOf } from './walk.ts'

export function registerCivilExports(): void {
  exportOf(
    civilList,
    {
      title: '文明施工检查',
      widths: { code: 26, projectName: 28, checkTime: 20, areaNames: 24, failItems: 36 },
      async *rows(ctx, query) {
        yield* await readCivil(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countChecks(ctx, conditions(ctx, query)),
    },
    {
      checkers: (c) => c.checkers.join('、'),
      areaNames: (c) => c.areaNames.join('、'),
      failItems: (c) => c.failItems.join('、'),
      problemCount: (c) => (c.problemCount === 0 ? '无问题' : `${c.passedCount} / ${c.problemCount}`),
      conclusion: (c) => c.conclusionName,
      state: (c) => c.stateName,
    },
  )
  exportOf(
    civilItemList,
    {
      title: '文明施工检查项',
      widths: { name: 40, rule: 40, phaseNames: 24 },
      async *rows(ctx, query) {
        yield* await readItems(ctx, query)
      },
      count: async (ctx, query) => (await readItems(ctx, query)).length,
    },
    {
      phaseNames: (i) => i.phaseNames.join('、') || '各阶段',
      owner: (i) => i.ownerName,
      goodCount: (i) => i.goodCount + i.badCount,
      enable: (i) => (i.enable ? '启用' : '停用'),
    },
  )
  registerPatrolPrint({
    feature: 'civiConsInspectionSheet',
    patrol: civilPatrol,
    kind: civilKind,
    several: civilZip.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly { id: string }[]>,
    more: async (ctx, pdf, id) => {
      const { rows } = await sql<{ projectCode: string }>`select project_code from site_check where id = ${id}`.execute(ctx.db)
      const points = await pointsWalked(ctx, { id, projectCode: rows[0]?.projectCode ?? '', problems: await problemsOf(ctx, id) })
      const score = scoreOf(await sheetsOf(ctx, id))
      pdf.heading(`得分 ${score.score ?? '--'}（应得 ${score.full}，实得 ${score.got}）`)
      await pdf.table(
        [
          { title: '区域', width: 12, value: (p) => p.areaName },
          { title: '点位', width: 22, value: (p) => p.name },
          { title: '得分', width: 8, align: 'right', value: (p) => p.score },
          {
            title: '不符合项',
            width: 34,
            value: (p) =>
              p.items
                .filter((one) => one.result === '2')
                .map((one) => `${one.name}（扣 ${one.deduction}）`)
                .join('；'),
          },
          { title: '说明', width: 24, value: (p) => (p.skipped ? `未检查：${p.skipped}` : p.note) },
        ],
        points,
      )
    },
  })
}
