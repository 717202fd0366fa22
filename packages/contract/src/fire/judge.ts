import { type CatalogueItem, isProject, isSub, pointsFor, projectOf, subOf } from './catalogue.ts'
import { type Finding, type GroupJudgement, judgeAll, judgeSub, type Level, type Result, type SubItem, type SubJudgement } from './rule.ts'

/** An entry as it was written; of each point and place the newest holds. */
export interface Entry {
  itemCode: string
  checkPart: string
  result: Result
  productFail: boolean
}
export interface SubNote {
  subCode: string
  total: number | null
  absentReason: string | null
}

/** The findings that hold, in the order in which the places were first looked at; `entries` are the oldest first. */
export function findingsOf(entries: readonly Entry[]): Finding[] {
  const latestFindings = new Map<string, Finding>()
  for (const { itemCode, checkPart, result, productFail } of entries)
    latestFindings.set(`${itemCode}@${checkPart}`, { itemCode, part: checkPart, result, productFail })
  return [...latestFindings.values()]
}

interface JudgedSub {
  code: string
  name: string
  points: CatalogueItem[]
  judged: SubJudgement
}
export interface JudgedProject {
  code: string
  name: string
  table: string | null
  subs: JudgedSub[]
  judged: GroupJudgement
}
export interface JudgedBuild {
  projects: JudgedProject[]
  judged: GroupJudgement
  subsDone: number
  subsTotal: number
}

/** Judges a building from what was written of it. `only`: the sub-items of a 复评. */
export function judgeBuild(
  catalogue: readonly CatalogueItem[],
  build: { projects: readonly string[]; places: readonly string[] },
  entries: readonly Entry[],
  notes: readonly SubNote[],
  only: readonly string[] | null,
): JudgedBuild {
  const names = new Map(catalogue.map((one) => [one.code, one]))
  const points = pointsFor(catalogue, build.projects, build.places).filter((one) => only === null || only.includes(subOf(one.code)))
  const findings = findingsOf(entries)
  const noteOf = new Map(notes.map((one) => [one.subCode, one]))
  const subs = [...Map.groupBy(points, (one) => subOf(one.code))].map(([code, own]): JudgedSub => {
    const note = noteOf.get(code)
    const sub: SubItem = {
      code,
      fullCheck: names.get(code)?.fullCheck ?? false,
      points: own.map((one) => ({ code: one.code, level: one.level as Level })),
      findings: findings.filter((one) => subOf(one.itemCode) === code),
      total: note?.total ?? null,
      absentReason: note?.absentReason ?? null,
    }
    return { code, name: names.get(code)?.name ?? code, points: own, judged: judgeSub(sub) }
  })
  const projects = [...Map.groupBy(subs, (one) => projectOf(one.code))].map(([code, own]): JudgedProject => {
    const of = names.get(code)
    return { code, name: of?.name ?? code, table: of?.table ?? null, subs: own, judged: judgeAll(own) }
  })
  return {
    projects,
    judged: judgeAll(projects),
    subsDone: subs.filter((one) => one.judged.complete).length,
    subsTotal: subs.length,
  }
}

/** The rows of a catalogue that a building's page needs. */
export const itemsFor = (catalogue: readonly CatalogueItem[], build: { projects: readonly string[]; places: readonly string[] }) => {
  const points = pointsFor(catalogue, build.projects, build.places)
  const wanted = new Set(points.flatMap((one) => [one.code, subOf(one.code), projectOf(one.code)]))
  return catalogue.filter((one) => wanted.has(one.code) && (isProject(one.code) || isSub(one.code) || one.enable))
}
