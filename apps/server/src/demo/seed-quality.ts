import { causeGroups } from '@zhugong/contract/quality/improvement-moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { improvementKind, improvementType, qualityPatrol } from '#domains/quality/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { choiceOf, type Defect, defects, type ImprovementPlan, improvementPlans, itemsBeside, qualityRounds } from './quality-plan.ts'
import type { ProblemWords } from './rectify-problems.ts'
import { actorOf, linked, type Numbers, numbersFrom, projectOf, type Round, roundOf, rowsOfRound, type Trade } from './seed-checks.ts'
import { type Actors, actorsOf, type Rows, rowsOf, tell } from './seed-rectify.ts'
import { inserterOf } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const defectOf = (words: ProblemWords): Defect | undefined => defects.find((one) => one.description === words.description)

const trade: Trade = {
  kind: qualityPatrol.kind,
  name: 'quality',
  series: qualityPatrol.series,
  notices: 'ZL',
  words: (city, projectCode, plan, random) => {
    const buildings = city.unitProjects.filter((one) => one.projectCode === projectCode).map((one) => one.name)
    const building = buildings[0] ?? ''
    const some = random.shuffled(choiceOf(plan.age, plan.age + plan.problems))
    return some.slice(0, plan.problems).map((one) => ({ ...one, place: [building, one.place].filter(Boolean).join(' ') }))
  },
  mark: (words) => {
    const found = defectOf(words)
    return found ? { itemCode: found.item, qualityProblem: found.defect, measured: found.measured, standard: found.standard } : {}
  },
  clear: {
    parts: ['1# 楼 二层 墙体', '1# 楼 三层 楼板钢筋', '地下一层 顶板', '1# 楼 七层 砌体'],
    remark: '逐项检查合格，实测值在允许偏差内',
  },
}

/** Weeks of quality patrols with their notices, and the improvements against what came again. */
export async function seedQuality(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const groups = await tx.selectFrom('tenant').select(['id', 'code']).where('type', '=', 3).execute()
  const siteGroups = new Map(groups.map((one) => [one.code, one.id]))
  const groupOf = (projectCode: string) => siteGroups.get(projectCode) ?? ''
  const numbers = await numbersFrom(tx)
  const rounds = qualityRounds.map((plan, i) => roundOf(city, actors, trade, plan, i, now)).sort((a, b) => +a.at - +b.at)
  const checks = rounds.map((round) => withItems(city, round, rowsOfRound(trade, round, numbers, groupOf(round.project.projectCode), now)))
  const found = checks.flatMap((one) => one.siteCheckProblem ?? [])
  const codes = new Map(checks.flatMap((one) => one.siteCheck ?? []).map((one) => [one.id, one]))
  const improvements = improvementPlans.map((plan, i) =>
    improvementRows({ city, actors, plan, index: i, now, numbers, found, codes, groupOf }),
  )
  const rows = [...checks, ...improvements]
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await numbers.store()
}
const tables = [
  'siteCheck',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'rectifyReply',
  'rectifyExtension',
  'siteCheckProblem',
  'qualityCheckItem',
  'qualityImprovement',
  'qualityFinding',
  'processLog',
  'processTodo',
] as const

const photoOf = (city: City, projectCode: string, when: 'before' | 'after') => idOf(city.seed, 'rectifyPhoto', projectCode, 'wall', when)

/** A check with what it looked at; its problems and answers show the picture of their kind. */
function withItems(city: City, { id, project }: Round, all: Rows[]): Rows {
  const rows = all[0] ?? {}
  const problems = rows.siteCheckProblem ?? []
  const check = rows.siteCheck?.[0]
  const before = [photoOf(city, project.projectCode, 'before')]
  const after = [photoOf(city, project.projectCode, 'after')]
  const failed = [...new Set(problems.map((one) => one.itemCode ?? ''))]
  const right =
    failed.length > 0
      ? [...new Set(failed.flatMap((one) => itemsBeside[one] ?? []))].filter((one) => !failed.includes(one))
      : ['0201', '0202']
  const items = [...failed.map((code) => [code, itemResults.wrong] as const), ...right.map((code) => [code, itemResults.right] as const)]
  return {
    ...rows,
    siteCheckProblem: problems.map((one) => ({ ...one, photos: before, mendedPhotos: one.mended ? after : [] })),
    rectifyLine: (rows.rectifyLine ?? []).map((one) => ({ ...one, photos: before })),
    rectifyAnswer: (rows.rectifyAnswer ?? []).map((one) => ({
      ...one,
      photos: one.reviewPassed === false || one.recheckPassed === false ? before : after,
    })),
    qualityCheckItem: check
      ? items.map(([itemCode, result], at) => {
          const problem = problems.find((one) => one.itemCode === itemCode)
          return {
            checkId: id,
            seq: at + 1,
            projectCode: check.projectCode,
            corpCode: null,
            shownAt: check.shownAt,
            groups: check.groups,
            itemCode,
            result,
            measured: problem?.measured ?? null,
            standard: problem?.standard ?? null,
            note: null,
          }
        })
      : [],
  }
}

interface Telling {
  city: City
  actors: Actors
  plan: ImprovementPlan
  index: number
  now: number
  numbers: Numbers
  found: readonly Insertable<Tables['siteCheckProblem']>[]
  codes: ReadonlyMap<string, Insertable<Tables['siteCheck']>>
  groupOf: (projectCode: string) => string
}

function improvementRows({ city, actors, plan, index, now, numbers, found, codes, groupOf }: Telling): Rows {
  const id = idOf(city.seed, 'improvement', String(index))
  const project = projectOf(city, plan.site)
  const { projectCode, contractorCorpCode: corpCode } = project
  const author = actorOf(actors, plan.by)
  const today = formatDay(now)
  const isDraft = plan.state === '0'
  const words = plan.lines.map(
    ({ place, text }): ProblemWords => ({
      scene: 'wall',
      category: '02',
      clause: null,
      place,
      description: `${plan.title}：${text}`,
      requirement: text,
      measure: '已按改进单逐项完成，班组自检合格，附整改后照片',
      fault: '部分部位未按改进单施工',
    }),
  )
  const noticeStory = isDraft
    ? undefined
    : tell(
        city,
        actors,
        {
          site: plan.site,
          by: plan.by,
          age: plan.age,
          due: plan.due,
          since: plan.since,
          state: plan.state,
          lines: words.length,
          noticeType: '2',
        },
        `improvement ${index}`,
        now,
        words,
      )
  const at = noticeStory?.story.issueTime ?? new Date(now - plan.age * 86_400_000)
  const number = (series: string) => {
    const { year, no } = numbers.next(projectCode, series, at)
    return `${project.shortName}-${series}-${year}-${String(no).padStart(3, '0')}`
  }
  const notice = noticeStory
    ? linked(rowsOf({ ...noticeStory, sourceType: '12' }, number('ZL'), groupOf(projectCode), now), improvementType, id, undefined)
    : {}
  const issued = notice.rectify?.[0]
  const shownAt = isDraft ? null : at
  const disclosed = { projectCode, corpCode, shownAt, groups: [author.groupId] }
  const causes = causeGroups.filter((group) => plan.causes[group])
  const verifiedAt = plan.verdict ? new Date(startOfDay(addDays(today, plan.verify + 1)) + 15 * 3_600_000) : null
  const row: Insertable<Tables['qualityImprovement']> = {
    id,
    code: isDraft ? null : number('ZG'),
    ...disclosed,
    authorGroup: author.groupId,
    authorGroupName: author.groupName,
    title: plan.title,
    qualityProblem: plan.defect,
    sourceKind: plan.source,
    causes,
    causeTexts: causes.map((group) => plan.causes[group] ?? ''),
    whys: [...plan.whys],
    prevention: plan.prevention,
    lineParts: plan.lines.map((one) => one.place),
    lineWords: plan.lines.map((one) => one.text),
    linePersons: plan.lines.map(() => noticeStory?.person ?? ''),
    deadline: addDays(today, plan.due),
    recheckAfter: addDays(today, plan.verify),
    targetRate: plan.rate,
    rectifyId: issued?.id ?? null,
    closeTime: issued?.closeTime ? new Date(issued.closeTime as Date) : null,
    verdict: plan.verdict ?? null,
    verdictOpinion: plan.opinion ?? null,
    verdictBy: plan.verdict ? author.name : null,
    verdictAt: verifiedAt,
    follows: null,
    state: plan.state,
    version: isDraft ? 0 : 1,
    createBy: author.id,
    createTime: at,
    updateBy: author.id,
    updateTime: verifiedAt ?? at,
  }
  const step = (action: string, when: Date, from: string | null, to: string, opinion: string | null) => ({
    id: idOf(id, action),
    kind: improvementType,
    objectId: id,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: author.id,
    byName: author.name,
    groupName: author.groupName,
    opinion,
    at: when,
  })
  const steps = [
    isDraft
      ? step('create', at, null, '0', null)
      : step('issue', at, '0', '1', `${plan.lines.length} 项整改，验证日期 ${addDays(today, plan.verify)}`),
    ...(plan.verdict && verifiedAt ? [step(plan.verdict, verifiedAt, '7', '7', plan.opinion ?? null)] : []),
  ]
  const before = [photoOf(city, projectCode, 'before')]
  const after = [photoOf(city, projectCode, 'after')]
  return {
    ...notice,
    rectifyLine: (notice.rectifyLine ?? []).map((one) => ({ ...one, photos: before })),
    rectifyAnswer: (notice.rectifyAnswer ?? []).map((one) => ({ ...one, photos: after })),
    qualityImprovement: [row],
    qualityFinding: findingsOf({ plan, found, codes, at, projectCode, before }).map((one, i) => ({
      improvementId: id,
      seq: i + 1,
      ...disclosed,
      sourceKind: plan.source,
      ...one,
    })),
    processLog: [...steps, ...(notice.processLog ?? [])],
    processTodo: [
      ...todoRows(improvementType, { id, ...disclosed }, improvementKind.todos(row as never), at, now),
      ...(notice.processTodo ?? []),
    ],
  } as Rows
}

interface Picking extends Pick<Telling, 'plan' | 'found' | 'codes'> {
  at: Date
  projectCode: string
  before: string[]
}
/** The latest problems of the defect before it was written, or the points of a measuring task. */
function findingsOf({ plan, found, codes, at, projectCode, before }: Picking) {
  if (plan.source === 'measure')
    return Array.from({ length: plan.findings }, (_, i) => ({
      sourceId: `${plan.title} ${i + 1}`,
      code: null,
      part: `六层 ${601 + (i % 8)} 室`,
      text: '墙面抹灰平整度超差',
      measured: `${5 + ((i * 7) % 5)} mm（允许 4 mm）`,
      foundAt: new Date(at.getTime() - 3 * 3_600_000 - i * 60_000),
      photos: i < 2 ? before : [],
    }))
  const timeOf = (one: (typeof found)[number]) => +new Date((codes.get(one.checkId)?.checkTime as Date | undefined) ?? 0)
  return found
    .filter((one) => one.projectCode === projectCode && one.qualityProblem === plan.defect)
    .filter((one, _i, all) => timeOf(one) < +at || all.every((each) => timeOf(each) >= +at))
    .sort((a, b) => timeOf(b) - timeOf(a))
    .slice(0, plan.findings)
    .map((one) => ({
      sourceId: one.id,
      code: codes.get(one.checkId)?.code ?? null,
      part: one.part,
      text: one.description,
      measured: one.measured ?? null,
      foundAt: new Date(Math.min(timeOf(one), +at)),
      photos: [...((one.photos as string[] | undefined) ?? [])],
    }))
}
