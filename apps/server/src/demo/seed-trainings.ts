import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { SignWay } from '@zhugong/contract/personnel/train-model'
import type { City, ProjectWorker } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { insertAll } from './seed-trade.ts'

/** Account of the site that has, besides everybody's induction, three-level training, a session today with failures, and a planned one. */
const storyAccount = 'hospital-labour'
const levels = [
  { type: '003101', name: '公司级安全教育', hours: 15, content: '安全生产法律法规、公司规章制度、事故案例。' },
  { type: '003102', name: '项目级安全教育', hours: 15, content: '本项目危险源、现场管理规定、应急预案与逃生路线。' },
  { type: '003103', name: '班组级安全教育', hours: 20, content: '本工种操作规程、劳动防护用品、班前活动与互相监护。' },
] as const

interface Session {
  id: string
  projectCode: string
  corpCode: string
  type: string
  name: string
  trainer: string
  at: string
  hours: number
  content: string
  closed: boolean
  /** Why it was called off. */
  cancelled?: string
  people: Trained[]
}
interface Trained {
  stay: ProjectWorker
  score: number | null
  passed: boolean | null
  /** How he signed in; undefined: he did not. */
  way?: SignWay
  /** Passed when he repeated it, this many days later. */
  repeated?: { days: number; score: number }
}

const minuteMs = 60_000
const startOf = (at: string) => Date.parse(`${at.replace(' ', 'T')}+08:00`)

/** Trainings: inductions of the invented city, and at one site examples of every case. */
export async function seedTrainings(db: Tx, city: City, now: number): Promise<void> {
  const stays = new Map(city.projectWorkers.map((w) => [`${w.projectCode}/${w.workerId}`, w]))
  const sessions: Session[] = city.trainings.map((t) => ({
    id: t.id,
    projectCode: t.projectCode,
    corpCode: t.organizer,
    type: t.trainingType,
    name: t.name,
    trainer: t.trainer,
    at: t.startTime,
    hours: t.duration,
    content: t.content,
    closed: true,
    people: t.workers.flatMap((w) => {
      const stay = stays.get(`${t.projectCode}/${w.workerId}`)
      return stay ? [{ stay, score: w.score, passed: w.isPass }] : []
    }),
  }))
  sessions.push(...storyOf(city, now))
  const at = new Date(now)
  await insertAll(
    db,
    'training' as never,
    sessions.map((s) => ({
      id: s.id,
      projectCode: s.projectCode,
      corpCode: s.corpCode,
      trainingType: s.type,
      name: s.name,
      trainer: s.trainer,
      startTime: new Date(`${s.at.replace(' ', 'T')}+08:00`),
      duration: s.hours,
      address: '项目安全教育室',
      content: s.content,
      closedAt: s.closed ? at : null,
      cancelledAt: s.cancelled ? at : null,
      cancelledBy: s.cancelled ? s.trainer : null,
      cancelReason: s.cancelled ?? null,
    })) as never,
  )
  await insertAll(
    db,
    'workerTraining' as never,
    sessions.flatMap((s) =>
      s.people.map(({ stay, score, passed, way, repeated }) => ({
        id: idOf('taught', s.id, stay.id),
        projectCode: s.projectCode,
        corpCode: stay.corpCode,
        workerId: stay.workerId,
        projectWorkerId: stay.id,
        trainingType: s.type,
        trainDate: s.at.slice(0, 10),
        hours: s.hours,
        score,
        passed,
        trainer: s.trainer,
        trainingId: s.id,
        name: s.name,
        signedAt: way ? new Date(startOf(s.at) - 5 * minuteMs) : null,
        signWay: way ?? null,
        retestAt: repeated ? addDays(s.at.slice(0, 10), repeated.days) : null,
        retestScore: repeated?.score ?? null,
        retestBy: repeated ? s.trainer : null,
        createTime: new Date(`${s.at.replace(' ', 'T')}+08:00`),
      })),
    ) as never,
  )
}

function storyOf(city: City, now: number): Session[] {
  const projectCode = city.personas.find((p) => p.account === storyAccount)?.projectCode
  const project = city.projects.find((p) => p.projectCode === projectCode)
  if (!projectCode || !project) return []
  const random = stream(city.seed, 'training-desk')
  const today = formatDay(now)
  const present = city.projectWorkers.filter((w) => w.projectCode === projectCode && w.exitTime === null && w.teamSysNo !== null)
  const [taught, fresh] = [present.filter((w) => w.entryTrained), present.filter((w) => !w.entryTrained)]
  const base = { projectCode, corpCode: project.contractorCorpCode, trainer: '廖安全' }
  const marked = (people: readonly ProjectWorker[], passed = true) =>
    people.map((stay) => ({ stay, score: passed ? random.int(72, 100) : random.int(35, 58), passed }))
  // A card may lack its last level.
  const deep = levels.map((level, i) => ({
    ...base,
    id: idOf('training-desk', level.type),
    type: level.type,
    name: level.name,
    at: `${addDays(today, -60 + i)} 08:00:00`,
    hours: level.hours,
    content: level.content,
    closed: true,
    people: marked(taught.slice(0, i === 2 ? 48 : 60)),
  }))
  const induction = { type: '003002', hours: 8, content: '入场安全教育：劳动纪律、高处作业、临时用电、应急处置。' }
  const hour = new Date(now + shanghaiOffsetMs).getUTCHours()
  return [
    ...deep,
    ...pastOf(base, taught, today, random),
    ...plannedOf(base, taught, today),
    {
      ...base,
      ...induction,
      id: idOf('training-desk', 'today'),
      name: '新进场人员入场教育',
      at: `${hour >= 9 ? today : addDays(today, -1)} 08:00:00`,
      closed: true,
      people: marked(fresh.slice(0, 2), false),
    },
    {
      ...base,
      ...induction,
      id: idOf('training-desk', 'tomorrow'),
      name: '新进场人员入场教育（补考）',
      at: `${addDays(today, 1)} 13:30:00`,
      closed: false,
      people: fresh.slice(0, 12).map((stay) => ({ stay, score: null, passed: null })),
    },
  ].filter((s) => s.people.length > 0 || !s.closed)
}

type Random = ReturnType<typeof stream>
type Base = Pick<Session, 'projectCode' | 'corpCode' | 'trainer'>

/** Sessions of the past weeks: name, type, days ago, hours, how many came. */
const past = [
  { name: '高处作业专项培训', type: '003105', ago: 3, hours: 4, people: 16 },
  { name: '消防知识培训', type: '003108', ago: 6, hours: 2, people: 24 },
  { name: '起重吊装专项培训', type: '003105', ago: 9, hours: 4, people: 8 },
  { name: '应急疏散演练', type: '003107', ago: 12, hours: 2, people: 30 },
  { name: '临时用电专项培训', type: '003105', ago: 15, hours: 4, people: 12 },
  { name: '木工班组安全教育', type: '003001', ago: 18, hours: 2, people: 18 },
  { name: '钢筋班组安全教育', type: '003001', ago: 21, hours: 2, people: 18 },
  { name: '焊工技能培训', type: '003004', ago: 24, hours: 8, people: 6 },
  { name: '消防知识培训', type: '003108', ago: 34, hours: 2, people: 22 },
  { name: '架子工专项培训', type: '003105', ago: 41, hours: 4, people: 14 },
  { name: '应急救援演练', type: '003107', ago: 47, hours: 2, people: 28 },
] as const
const ways: readonly SignWay[] = ['gate', 'gate', 'card', 'list']
const [passMark, failEvery] = [60, 9]

/** Each with people who failed; in the older ones they have passed since. */
function pastOf(base: Base, taught: readonly ProjectWorker[], today: string, random: Random): Session[] {
  return past.map((one, n) => ({
    ...base,
    id: idOf('training-desk', 'past', String(one.ago)),
    type: one.type,
    name: one.name,
    at: `${addDays(today, -one.ago)} 14:00:00`,
    hours: one.hours,
    content: `${one.name}：操作规程、危险源与防范措施、应急处置。`,
    closed: true,
    people: taught.slice((n * 7) % 40, ((n * 7) % 40) + one.people).map((stay, i): Trained => {
      const way = ways[(i + n) % ways.length] ?? 'list'
      if (i % failEvery !== failEvery - 1) return { stay, score: random.int(passMark + 8, 100), passed: true, way }
      const score = random.int(35, passMark - 1)
      return n < 2
        ? { stay, score, passed: false, way }
        : { stay, score, passed: true, way, repeated: { days: 2, score: random.int(passMark + 5, 90) } }
    }),
  }))
}

/** Sessions that are still to come, and one that was called off. */
function plannedOf(base: Base, taught: readonly ProjectWorker[], today: string): Session[] {
  const ahead = [
    { name: '塔吊司机与信号工专项培训', type: '003105', days: 3, people: 8 },
    { name: '冬期施工安全教育', type: '003001', days: 6, people: 0 },
    { name: '消防演练', type: '003107', days: 9, people: 0 },
  ]
  const words = { ...base, hours: 2, closed: false }
  return [
    ...ahead.map((one) => ({
      ...words,
      id: idOf('training-desk', 'ahead', String(one.days)),
      type: one.type,
      name: one.name,
      at: `${addDays(today, one.days)} 14:00:00`,
      content: `${one.name}：操作规程、危险源与防范措施、应急处置。`,
      people: taught.slice(0, one.people).map((stay) => ({ stay, score: null, passed: null })),
    })),
    {
      ...words,
      id: idOf('training-desk', 'cancelled'),
      type: '003108',
      name: '消防知识培训',
      at: `${addDays(today, -2)} 14:00:00`,
      content: '火灾危险源、灭火器使用、疏散与报警。',
      cancelled: '培训室停电，改期举行',
      people: taught.slice(20, 32).map((stay) => ({ stay, score: null, passed: null })),
    },
  ]
}
