import { expertStates } from '@zhugong/contract/experts/moves'
import { leastTimes } from '@zhugong/contract/experts/scores'
import { ageOn, idCardCheckCharacter } from '@zhugong/contract/kit/checks'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import type { City, FileSeed } from '@zhugong/simulator/city-types'
import { personName } from '@zhugong/simulator/names'
import { idOf, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { expertKind, gradeOf, numberColumns, phoneColumns, statedExpert, statedTrip, tripKind } from '#domains/experts/public'
import { addDays, formatDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { type DrawSeeds, drawRows } from './expert-draws.ts'
import { type Actor, activityPlans, drawPlans, fields, fieldWords, type Listed, tripPlans, units } from './expert-plan.ts'
import { draw } from './seed-pictures.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type Rows<T extends keyof Tables> = Insertable<Tables[T]>[]

/** Experts a field, and the phone of the application that is to be corrected. */
const perField = 10
export const testPhone = '13900001001'
const careers = ['长期从事', '主要从事', '先后参与']

/** The city's library with 160 experts, applications, draws, activities, absences and the scores of two years. */
export async function seedExperts(tx: Tx, city: City, secrets: Secrets, now: number, folder?: string): Promise<void> {
  const actors = await actorsOf(tx)
  const keeper = actors.get('city-xu')
  const head = actors.get('city-fang')
  if (!keeper || !head) throw new Error('nobody keeps the expert library')
  const library = {
    groupId: head.groupId,
    name: `${city.name}建设工程专家库`,
    areaFront: (city.governments.find((one) => one.govCode === '420200001')?.areaCode ?? '420200').replace(/(00){1,2}$/, ''),
    coolDays: 0,
    updateBy: head.id,
  }
  await insertAll(tx, 'expertLibrary', [library])
  const made = { city, secrets, now, libraryGroup: library.groupId }
  const experts = fields.flatMap((field, f) => Array.from({ length: perField }, (_, i) => expertOf(made, field, f * perField + i, i)))
  const waiting = ['01', '03', '08', '10', '15'].map((field, i) => ({
    ...expertOf(made, field, 200 + i, i),
    state: expertStates.waiting as string,
    applied: i !== 4,
    writtenBy: i === 4 ? keeper.id : '',
    validStart: null,
    validEnd: null,
    submitTime: new Date(now - (i + 1) * 26 * hourMs),
  }))
  const rejected = {
    ...expertOf(made, '02', 210, 3),
    ...phoneColumns({ secrets }, testPhone),
    state: expertStates.rejected as string,
    applied: true,
    writtenBy: '',
    validStart: null,
    validEnd: null,
    opinion: '单位推荐意见未盖章，请补正后重新提交',
    submitTime: new Date(now - 9 * dayMs),
  }
  const all = [...experts, ...waiting, rejected]
  if (folder) await drawPapers(tx, folder, all, now)
  await insertAll(tx, 'expert', all)
  await insertAll(
    tx,
    'expertCert',
    experts.filter((_, i) => i % 3 === 0).map((one, i) => certOf(one, i, now)),
  )
  await seedDraftOf(tx, rejected, secrets, now)
  const log = (row: Listed, action: string, from: string | null, by: Actor | undefined, at: Date, opinion: string | null = null) => ({
    id: idOf(row.id, 'step', action),
    kind: expertKind.kind,
    objectId: row.id,
    ...disclosed(statedExpert(row)),
    action,
    fromState: from,
    toState: row.state,
    byId: by?.id ?? '',
    byName: by?.name ?? '申请人',
    groupName: by?.groupName ?? '',
    opinion,
    at,
  })
  await insertAll(tx, 'processLog', [
    ...all.map((row) =>
      log(row, row.applied ? 'apply' : 'create', null, row.applied ? undefined : keeper, row.submitTime ?? row.createTime),
    ),
    ...experts.map((row) => log(row, 'pass', '1', head, new Date(row.createTime.getTime() + 3 * dayMs), `聘期至 ${row.validEnd}`)),
    log(rejected, 'reject', '1', keeper, new Date(now - 6 * dayMs), rejected.opinion),
  ])
  await insertAll(
    tx,
    'processTodo',
    waiting.flatMap((row) => {
      const file = statedExpert(row)
      return todoRows(expertKind.kind, file, expertKind.todos(file), row.submitTime, now)
    }),
  )
  const listed = experts.filter((one) => one.state === expertStates.listed)
  const seeds: DrawSeeds = { ...made, actors, listed, today: formatDay(now) }
  const rows = drawRows(seeds, drawPlans, activityPlans)
  for (const [table, some] of Object.entries(rows)) await insertAll(tx, table as 'expertDraw', some as never)
  await insertAll(tx, 'expertTrip', tripsOf(seeds, keeper))
  await insertAll(tx, 'processTodo', tripTodos(seeds, keeper))
  await settle(tx, seeds, rows.expertScore as Row<'expertScore'>[], head)
}

const disclosed = ({
  projectCode,
  corpCode,
  shownAt,
  groups,
}: Pick<ReturnType<typeof statedExpert>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>) => ({
  projectCode,
  corpCode,
  shownAt,
  groups,
})

async function actorsOf(tx: Tx): Promise<Map<string, Actor>> {
  const rows = await tx
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .where('m.isDefault', '=', true)
    .select(['u.id', 'u.name', 'u.account', 't.id as groupId', 't.name as groupName', 't.code', 't.type'])
    .execute()
  return new Map(rows.map(({ account, code, type, ...one }) => [account, { ...one, projectCode: type === 3 ? code : null }]))
}

interface Made {
  city: City
  secrets: Secrets
  now: number
  libraryGroup: string
}

function expertOf({ city, secrets, now, libraryGroup }: Made, field: string, no: number, place: number): Listed {
  const random = stream(city.seed, 'expert', no)
  const person = personName(random, 0.15)
  const today = formatDay(now)
  const years = random.int(17, 36)
  const birthday = `${Number(today.slice(0, 4)) - years - random.int(24, 27)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`
  const first = `420102${birthday.replaceAll('-', '')}${String(no).padStart(2, '0').slice(-2)}${random.int(0, 4) * 2 + (person.gender === '1' ? 1 : 0)}`
  // Some work for companies that build here: draws for those sites leave them out.
  const workUnit =
    place === 7
      ? (city.corporations[no % city.corporations.length]?.corpName ?? units[0])
      : (units[(no * 7 + place) % units.length] ?? units[0])
  const second = fields[(no * 3 + 1) % fields.length] ?? field
  const state = stateOf(no)
  const validStart = addDays(today, -random.int(40, state === expertStates.ended ? 1100 : 1000))
  const validEnd = addDays(`${Number(validStart.slice(0, 4)) + 3}${validStart.slice(4).replace('02-29', '02-28')}`, -1)
  const words = fieldWords[field] ?? ''
  return {
    id: idOf(city.seed, 'expert', String(no)),
    libraryGroup,
    name: person.name,
    ...numberColumns({ secrets }, first + idCardCheckCharacter(first)),
    ...phoneColumns({ secrets }, `139${String(71_000_000 + no * 37).slice(-8)}`),
    email: null,
    workUnit,
    duty: random.pick(['总工程师', '教授', '副总工程师', '技术总监', '教授级高工', null]),
    title: random.chance(0.45) ? '4' : '3',
    titleMajor: words.replace(/工程$/, ''),
    specialties: second === field || random.chance(0.6) ? [field] : [field, second],
    wish: null,
    degree: random.pick(['06', '06', '07', '07', '08']),
    graduateSchool: random.pick(['同济大学', '东南大学', '华中科技大学', '武汉理工大学', '重庆大学', '西安建筑科技大学']),
    workYears: years,
    resume: `${random.pick(careers)}${words}设计、施工与咨询 ${years} 年，参与省市重点工程 ${random.int(8, 40)} 项，主持专项方案论证 ${random.int(20, 160)} 次。`,
    achievements: random.chance(0.6)
      ? `省级工法 ${random.int(1, 6)} 项，发明专利 ${random.int(1, 9)} 项，参编${words}地方标准 ${random.int(1, 3)} 部。`
      : null,
    photo: null,
    unitOpinion: null,
    commitments: null,
    applied: no % 4 !== 0,
    twin: false,
    writtenBy: '',
    submitTime: new Date(Date.parse(`${validStart}T09:00:00+08:00`) - 5 * dayMs),
    opinion: null,
    validStart,
    // Some terms end soon.
    validEnd:
      no % 17 === 5
        ? addDays(today, 12 + (no % 60))
        : state === expertStates.ended
          ? addDays(today, -(no % 30) - 1)
          : validEnd < today
            ? addDays(today, 20 + (no % 200))
            : validEnd,
    score: null,
    grade: null,
    state,
    version: 1,
    createTime: new Date(Date.parse(`${validStart}T09:00:00+08:00`) - 5 * dayMs),
    updateBy: null,
    updateTime: new Date(Date.parse(`${validStart}T15:00:00+08:00`)),
  }
}

/** Most are in the library; a few are paused, ended or removed. */
function stateOf(no: number): string {
  if (no === 49 || no === 119) return expertStates.paused
  if (no === 29 || no === 89 || no === 148) return expertStates.ended
  if (no === 69 || no === 139) return expertStates.removed
  return expertStates.listed
}

const certOf = (one: Listed, i: number, now: number): Insertable<Tables['expertCert']> => ({
  id: idOf(one.id, 'cert'),
  expertId: one.id,
  seq: 0,
  name: ['一级注册结构工程师', '注册土木工程师（岩土）', '注册安全工程师', '一级建造师'][i % 4] ?? '一级建造师',
  number: `HB${String(20_080_000 + i * 131)}`,
  validEnd: addDays(formatDay(now), 90 + ((i * 53) % 900)),
})

/** A portrait of everybody; recommendation and commitment of those who are to be decided. */
async function drawPapers(tx: Tx, folder: string, experts: readonly Listed[], now: number): Promise<void> {
  const today = formatDay(now)
  const keep = async (one: Listed, seed: FileSeed) => {
    const { owner, ...file } = await draw(folder, one.libraryGroup, seed)
    await insertAll(tx, 'storedFile', [{ ...file, groupId: owner, createBy: 'demo', projectCode: null }])
    return seed.id
  }
  for (const one of experts) {
    const sitter = { personId: one.id, gender: one.gender as '1', age: ageOn(one.birthday, today), manager: true, onSite: false }
    const image = { mime: 'image/png' as const, lines: [] }
    one.photo = await keep(one, { ...image, id: idOf(one.id, 'photo'), name: '照片.png', kind: 'portrait', title: '', sitter })
    if (one.state !== expertStates.waiting && one.state !== expertStates.rejected) continue
    const paper = { ...image, kind: 'licence' as const, lines: [one.name, one.workUnit] }
    one.unitOpinion = await keep(one, { ...paper, id: idOf(one.id, 'opinion'), name: '单位推荐意见.png', title: '单位推荐意见' })
    one.commitments = await keep(one, { ...paper, id: idOf(one.id, 'commitments'), name: '承诺书.png', title: '专家承诺书' })
  }
}

/** What the rejected applicant typed, so that it can be corrected on the public page. */
async function seedDraftOf(tx: Tx, row: Listed, secrets: Secrets, now: number): Promise<void> {
  const draft = {
    library: row.libraryGroup,
    person: {
      name: row.name,
      idCardNumber: secrets.open(row.idCardNumber),
      email: null,
      workUnit: row.workUnit,
      duty: row.duty,
      title: row.title,
      titleMajor: row.titleMajor,
      degree: row.degree,
      graduateSchool: row.graduateSchool,
      workYears: row.workYears,
    },
    career: { specialties: row.specialties, resume: row.resume, achievements: row.achievements, certs: [] },
  }
  const content = secrets.seal(JSON.stringify(draft))
  if (content) await insertAll(tx, 'expertDraft', [{ phoneHash: row.phoneHash, content, updateTime: new Date(now) }])
}

function tripsOf({ city, listed, today, now }: DrawSeeds, keeper: Actor): Rows<'expertTrip'> {
  return tripPlans.map((plan, i) => {
    const expert = listed.filter((one) => one.specialties[0] === plan.field)[8] ?? listed[i]
    if (!expert) throw new Error('nobody to send away')
    const startDate = addDays(today, plan.from)
    const endDate = addDays(startDate, plan.days - 1)
    return {
      id: idOf(city.seed, 'expertTrip', String(i)),
      libraryGroup: expert.libraryGroup,
      expertId: expert.id,
      expertName: expert.name,
      activityType: plan.type,
      inviter: plan.inviter,
      destination: plan.destination,
      startDate,
      endDate,
      payer: plan.payer,
      content: plan.content,
      report: plan.report ?? null,
      photos: [],
      reportAt: plan.report ? new Date(Date.parse(`${endDate}T10:00:00+08:00`) + 4 * dayMs) : null,
      opinion: plan.opinion ?? null,
      writerId: keeper.id,
      writerName: keeper.name,
      state: plan.state,
      version: plan.state === '0' ? 0 : 1,
      createTime: new Date(Math.min(now - hourMs, Date.parse(`${startDate}T09:00:00+08:00`) - 6 * dayMs)),
      updateBy: null,
      updateTime: new Date(Math.min(now - hourMs, Date.parse(`${startDate}T09:00:00+08:00`) - 5 * dayMs)),
    }
  })
}

const tripTodos = (seeds: DrawSeeds, keeper: Actor) =>
  tripsOf(seeds, keeper).flatMap((row) => {
    const trip = statedTrip(row as Row<'expertTrip'>)
    return todoRows(tripKind.kind, trip, tripKind.todos(trip), trip.createTime, seeds.now)
  })

/** Last year is settled; each file shows its score. One score was corrected after an appeal. */
async function settle(tx: Tx, { today, libraryGroup }: DrawSeeds, scores: readonly Row<'expertScore'>[], head: Actor): Promise<void> {
  const year = Number(today.slice(0, 4)) - 1
  const frozenAt = new Date(`${year + 1}-01-12T10:00:00+08:00`)
  const byExpert = Map.groupBy(
    scores.filter((one) => one.year === year),
    (one) => one.expertId,
  )
  const rows = [...byExpert].map(([expertId, own]) => {
    const mean = Math.round((own.reduce((sum, one) => sum + one.total, 0) / own.length) * 10) / 10
    const score = own.length < leastTimes ? null : mean
    return {
      libraryGroup,
      year,
      expertId,
      times: own.length,
      meanScore: mean,
      score,
      grade: gradeOf(score, own.length),
      frozenAt,
      frozenBy: head.name,
    }
  })
  await insertAll(tx, 'expertYear', rows)
  for (const { expertId, score, grade } of rows) await tx.updateTable('expert').set({ score, grade }).where('id', '=', expertId).execute()
  const corrected = scores.find((one) => one.year === year && one.total > 80)
  if (!corrected) return
  const at = new Date(`${year + 1}-02-03T15:00:00+08:00`)
  await insertAll(tx, 'expertScoreChange', [
    {
      id: idOf(corrected.id, 'change'),
      scoreId: corrected.id,
      before: corrected.total - 9,
      after: corrected.total,
      reason: '经申诉核实，当日按时到会',
      byId: head.id,
      byName: head.name,
      at,
    },
  ])
  await insertAll(tx, 'expertAppeal', [
    {
      id: idOf(corrected.id, 'appeal'),
      libraryGroup,
      expertId: corrected.expertId,
      year,
      text: '当日 8:50 已签到，出席守时扣分有误，请核实',
      byName: head.name,
      at: new Date(at.getTime() - 4 * dayMs),
    },
  ])
}
