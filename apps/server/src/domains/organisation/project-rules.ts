import { sql } from 'kysely'
import type { Db, Row, Tx } from '#kit/db'

/** 18 digits: area (6), day (yyMMdd), category (2), running number (4); never changed afterwards (entities.md, 项目). */
export async function nextProjectCode(db: Db, areaCode: string, category: string, today: string): Promise<string> {
  const front = `${areaCode}${today.replaceAll('-', '').slice(2)}${category.slice(-2).padStart(2, '0')}`
  const { rows } = await sql<{
    last: string | null
  }>`select max(project_code) as last from project where project_code like ${`${front}%`}`.execute(db)
  return `${front}${String(Number(rows[0]?.last?.slice(-4) ?? 0) + 1).padStart(4, '0')}`
}

/** What 确认开工 still needs: a building licence, the five parties, a supervision number (state machine prjStatus). */
export async function missingForStart(
  tx: Tx,
  project: Pick<Row<'project'>, 'projectCode' | 'builderLicenses' | 'superviseNo' | 'contractorCorpCode' | 'buildCorpCode'>,
): Promise<string[]> {
  const { rows } = await sql<{
    corpType: string
  }>`select distinct corp_type from project_corp where project_code = ${project.projectCode}`.execute(tx)
  const present = new Set(rows.map((r) => r.corpType))
  const parties = { '008': '建设单位', '009': '总承包单位', '007': '监理单位', '010': '勘察单位', '011': '设计单位' }
  return [
    ...(project.builderLicenses?.length ? [] : ['施工许可证']),
    ...Object.entries(parties).flatMap(([code, name]) => (present.has(code) ? [] : [name])),
    ...(project.superviseNo ? [] : ['监督登记号']),
  ]
}
