import type { Subject } from '@zhugong/contract/kit/fields'
import type { City } from '@zhugong/simulator/city-types'
import type pg from 'pg'
import { allFixtures } from './fixtures/all.ts'
import type { OwnerSource } from './fixtures/helpers.ts'

/**
 * Which account may see which rows, derived from the invented city alone and by other code than the product's. The isolation tests compare
 * the product with it.
 */
export interface Viewer {
  account: string
  kind: string
  /** Projects in which it may see anything. */
  projects: ReadonlySet<string>
  /** Projects in which it sees all people. */
  whole: ReadonlySet<string>
  /** Companies whose people it sees in the other projects. */
  corps: ReadonlySet<string>
  /** Type and code of its group; the platform sees the rows of every group. */
  groupKey: string
}

const wholeTypes = new Set(['007', '008', '009'])

export function viewers(city: City): Viewer[] {
  const all = city.projects.map((p) => p.projectCode)
  const inArea = (front: string) => city.projects.filter((p) => p.areaCode.startsWith(front)).map((p) => p.projectCode)
  const company = (account: string, kind: string): Viewer => {
    const persona = city.personas.find((p) => p.account === account)
    const corp = persona?.corpCode ?? ''
    const parts = city.projectCorps.filter((c) => c.corpCode === corp)
    const corps = new Set([corp])
    // All companies below in the chain of contracts, level by level.
    for (let grown = true; grown; ) {
      const below = city.projectCorps.filter(
        (c) =>
          c.parentCorpCode && corps.has(c.parentCorpCode) && parts.some((p) => p.projectCode === c.projectCode) && !corps.has(c.corpCode),
      )
      for (const c of below) corps.add(c.corpCode)
      grown = below.length > 0
    }
    return {
      account,
      kind,
      corps,
      groupKey: `2/${corp}`,
      projects: new Set(parts.map((p) => p.projectCode)),
      whole: new Set(parts.filter((p) => wholeTypes.has(p.corpType)).map((p) => p.projectCode)),
    }
  }
  const groupKeyOf = (account: string) => {
    const persona = city.personas.find((p) => p.account === account)
    return persona ? `${persona.groupType}/${persona.govCode ?? persona.corpCode ?? persona.projectCode}` : '0/platform'
  }
  const full = (account: string, kind: string, projects: string[]): Viewer => ({
    account,
    kind,
    projects: new Set(projects),
    whole: new Set(projects),
    corps: new Set(),
    groupKey: groupKeyOf(account),
  })
  const site = (account: string, kind: string) =>
    full(
      account,
      kind,
      city.personas.flatMap((p) => (p.account === account && p.projectCode ? [p.projectCode] : [])),
    )
  return [
    full('admin', '平台管理员', all),
    full('city-fang', '市级监管', inArea('4202')),
    full('bj-zhao', '区级监管', inArea('420202')),
    full('yd-wang', '另一区监管', inArea('420203')),
    company('yunze-lu', '总包企业'),
    company('chuyuan-li', '另一总包企业'),
    company('hospital-jl', '监理企业'),
    company('dingli-cheng', '劳务分包企业'),
    company('hengsheng-shi', '设备租赁企业'),
    site('hospital-pm', '项目管理员'),
    site('hospital-labour', '项目劳务员'),
    site('zhigu-pm', '另一项目管理员'),
    site('dongwan-officer', '相邻项目安全员'),
  ]
}

/** A row of a tenant: its kind, its id in calls, and which tenant owns it. */
export interface Owned {
  subject: Subject
  id: string
  projectCode?: string
  corpCode?: string | null
  /** Rows about people: a subcontractor sees only its own. */
  personal?: boolean
  /** Type and code of the owning group, if the row does not belong to a project. */
  groupKey?: string
}

export async function ownedRows(pool: pg.Pool): Promise<Owned[]> {
  const sources = allFixtures.flatMap(({ owners = {} }) => Object.entries(owners) as [Subject, OwnerSource][])
  const lists = await Promise.all(
    sources.map(async ([subject, source]) => {
      const { sql, personal } = typeof source === 'string' ? { sql: source, personal: undefined } : source
      const { rows } = await pool.query<{ id: string; project_code: string | null; corp_code?: string; group_key?: string }>(sql)
      return rows.map(
        (r): Owned => ({
          subject,
          id: r.id,
          ...(r.project_code ? { projectCode: r.project_code } : {}),
          ...(r.group_key ? { groupKey: r.group_key } : {}),
          corpCode: r.corp_code ?? null,
          ...(personal ? { personal } : {}),
        }),
      )
    }),
  )
  return lists.flat()
}

export function maySee(viewer: Viewer, row: Owned): boolean {
  if (row.groupKey) return viewer.groupKey === '0/platform' || viewer.groupKey === row.groupKey
  if (!row.projectCode || !viewer.projects.has(row.projectCode)) return false
  return (
    !row.personal ||
    viewer.whole.has(row.projectCode) ||
    (row.corpCode !== null && row.corpCode !== undefined && viewer.corps.has(row.corpCode))
  )
}
