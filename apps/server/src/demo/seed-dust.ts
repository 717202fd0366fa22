import { coreItems, passRateOf } from '@zhugong/contract/dustchecks/items'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { dust, evidenceOf } from '#domains/dustchecks/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { rectifyPhoto } from './media/rectify-scene.ts'
import { type ProblemWords, problems } from './rectify-problems.ts'
import type { Actor } from './rectify-story.ts'
import { linked, type Numbers, numbersFrom } from './seed-checks.ts'
import { keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { type Actors, actorsOf, type Rows, rowsOf, tell } from './seed-rectify.ts'
import { inserterOf } from './seed-trade.ts'

const hour = 3_600_000
const site = 'hospital'
const days = 30
/** Days ago of the week under an orange response. */
const orange = { from: 16, until: 10 }
/** Days ago on which earth lay open, with the state of the notice; the others were in order. */
const open: Readonly<Record<number, '2' | '4' | '6' | '7'>> = {
  27: '7',
  22: '7',
  18: '7',
  15: '7',
  13: '7',
  9: '7',
  6: '6',
  3: '4',
  1: '7',
  0: '2',
}
/** Clear, cloudy, overcast and haze in dictionary weather. */
const weathers = ['1', '1', '2', '3'] as const
const haze = '8'
/** 物料堆放100%覆盖 and 出入车辆100%冲洗. */
const [cover, wash] = ['02', '03']

/** A month of dust checks with an orange week, earth that lay open, and one check that the authority held. */
export async function seedDust(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const actors = await actorsOf(tx)
  const projectCode = city.personas.find((one) => one.account === `${site}-pm`)?.projectCode ?? ''
  const group = await tx.selectFrom('tenant').select('id').where('type', '=', 3).where('code', '=', projectCode).executeTakeFirst()
  const photo = { id: idOf(city.seed, 'dust', 'proof'), name: '现场.png', mime: 'image/png' as const }
  const soil = { id: idOf(city.seed, 'dust', 'soil'), name: '裸土.png', mime: 'image/png' as const }
  await keepAll(tx, [
    await keepFile(folder, projectCode, photo, rectifyPhoto('soil', true)),
    await keepFile(folder, projectCode, soil, rectifyPhoto('soil', false)),
  ])
  const stage: Stage = {
    tx,
    city,
    actors,
    projectCode,
    siteGroup: group?.id ?? '',
    proof: photo.id,
    soil: soil.id,
    numbers: await numbersFrom(tx),
    now,
  }
  const rows: Rows[] = []
  for (let age = days; age >= 0; age--) rows.push(...(await checkOf(stage, age)))
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await stage.numbers.store()
}
const tables = [
  'siteCheck',
  'dustCheck',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'rectifyReply',
  'siteCheckProblem',
  'processLog',
  'processTodo',
] as const

interface Stage {
  tx: Tx
  city: City
  actors: Actors
  projectCode: string
  siteGroup: string
  proof: string
  soil: string
  numbers: Numbers
  now: number
}

const soilWords = (): ProblemWords => {
  const found = problems.find((one) => one.scene === 'soil')
  if (!found) throw new Error('no problem about soil')
  return { ...found, measure: '三小时内裸土全部覆盖防尘网并开启喷淋，PM10 已回落' }
}

async function checkOf(stage: Stage, age: number): Promise<Rows[]> {
  const { tx, city, actors, projectCode, siteGroup, proof, soil, numbers, now } = stage
  const random = stream(city.seed, 'dust', String(age))
  const by = actorOf(actors, age === 20 ? 'bj-qian' : age % 7 === 5 ? `${site}-jl` : `${site}-safety`)
  const state = by.groupId === siteGroup || age !== 20 ? open[age] : undefined
  const noticeStory = state
    ? tell(
        city,
        actors,
        {
          site,
          by: `${site}-jl`,
          lines: 1,
          state,
          age,
          due: state === '7' ? -age + 1 : 1,
          since: Math.max(0, age - 1),
          ...(state === '6' ? { returned: ['supervisor'], failing: 1 } : {}),
        },
        `dust ${age}`,
        now,
        [soilWords()],
      )
    : undefined
  const checker = noticeStory ? actorOf(actors, `${site}-jl`) : by
  const at =
    noticeStory?.story.issueTime ??
    new Date(Math.min(now - hour, startOfDay(addDays(formatDay(now), -age)) + 9 * hour + random.int(0, 50) * 60_000))
  const id = idOf(city.seed, 'dustCheck', String(age))
  const isOrange = age <= orange.from && age >= orange.until
  const fails = [...(noticeStory ? [cover] : []), ...(age === 24 ? [wash] : [])]
  const items = coreItems.map(({ code }) => ({
    code,
    result:
      code === cover && noticeStory ? itemResults.wrong : code === '05' && age % 9 === 4 ? itemResults.notApplicable : itemResults.right,
    note: code === '05' && age % 9 === 4 ? '当日无土方和拆除作业' : null,
    photos: code === cover && noticeStory ? [] : [proof],
  }))
  const evidence = await evidenceOf({ db: tx }, projectCode, +at)
  const { year, no } = numbers.next(projectCode, 'YC', at)
  const project = city.projects.find((one) => one.projectCode === projectCode)
  const disclosed = { projectCode, corpCode: null, shownAt: at, groups: [checker.groupId] }
  const passRate = passRateOf(items)
  const check: Rows = {
    siteCheck: [
      {
        id,
        kind: dust,
        code: `${project?.shortName}-YC-${year}-${String(no).padStart(3, '0')}`,
        ...disclosed,
        checkerGroup: checker.groupId,
        checkerGroupName: checker.groupName,
        checkerId: checker.id,
        inspectType: checker.groupId === siteGroup ? '12' : age === 20 ? '01' : '13',
        checkTime: at,
        checkers: [checker.name],
        part: '全工地',
        remark: isOrange ? '橙色响应期间，土方作业已停，喷淋加密' : null,
        photos: [],
        dangerLevel: noticeStory ? '1' : null,
        problemCount: noticeStory ? 1 : 0,
        state: state ?? '7',
        version: 1,
        createBy: checker.id,
        createTime: at,
        updateBy: checker.id,
        updateTime: at,
      },
    ],
    dustCheck: [
      {
        checkId: id,
        ...disclosed,
        responseLevel: isOrange ? '2' : '0',
        weather: isOrange ? haze : (weathers[age % weathers.length] ?? null),
        // Stations keep their latest value only: a past check has what its checker read.
        pm10: age === 0 ? evidence.pm10 : isOrange ? random.int(120, 190) : random.int(48, 96),
        items: JSON.stringify(items),
        failCodes: fails.filter((code) => items.some((one) => one.code === code && one.result === itemResults.wrong)),
        passRate,
        result: noticeStory ? '3' : '1',
        evidence: JSON.stringify(age === 0 ? evidence : { ...evidence, pm10: null, windSpeed: null, humidity: null }),
        contradicted: passRate === 100 && evidence.alarms > 0,
      },
    ],
    processLog: [
      {
        id: idOf(id, 'step'),
        kind: dust,
        objectId: id,
        ...disclosed,
        action: 'submit',
        fromState: '0',
        toState: noticeStory ? '1' : '7',
        byId: checker.id,
        byName: checker.name,
        groupName: checker.groupName,
        opinion: noticeStory ? '1 项不符合：物料堆放100%覆盖' : '逐项符合',
        at,
      },
    ],
  }
  if (!noticeStory) return [check]
  const number = numbers.next(projectCode, 'AQ', at)
  const code = `${noticeStory.project.shortName}-AQ-${number.year}-${String(number.no).padStart(3, '0')}`
  const issued = linked(rowsOf({ ...noticeStory, sourceType: '13' }, code, siteGroup, now), dust, id, undefined)
  const lines = issued.rectifyLine?.map((one) => ({ ...one, photos: [soil] })) ?? []
  const answers = issued.rectifyAnswer?.map((one) => ({ ...one, photos: [proof] })) ?? []
  return [
    check,
    { ...issued, rectifyLine: lines, rectifyAnswer: answers, siteCheckProblem: lines.map((line) => problemRow(id, line, issued, soil)) },
  ]
}

const problemRow = (
  checkId: string,
  line: Insertable<Tables['rectifyLine']>,
  issued: Rows,
  soil: string,
): Insertable<Tables['siteCheckProblem']> => ({
  id: idOf(checkId, 'problem'),
  checkId,
  projectCode: line.projectCode,
  corpCode: line.corpCode ?? '',
  shownAt: line.shownAt,
  groups: line.groups,
  seq: 1,
  description: line.description,
  part: line.part,
  itemCode: cover ?? null,
  clause: line.clause ?? null,
  dangerLevel: '1',
  majorClause: null,
  requirement: line.requirement,
  person: line.person ?? null,
  deadline: issued.rectify?.[0]?.deadline ?? '',
  photos: [soil],
  mended: null,
  rectifyId: line.rectifyId,
  lineId: line.id,
})

function actorOf(actors: Actors, account: string): Actor {
  const known = actors.get(account)
  if (!known) throw new Error(`nobody is called ${account}`)
  return known
}
