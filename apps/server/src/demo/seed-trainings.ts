import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
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
  people: { stay: ProjectWorker; score: number | null; passed: boolean | null }[]
}

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
    })) as never,
  )
  await insertAll(
    db,
    'workerTraining' as never,
    sessions.flatMap((s) =>
      s.people.map(({ stay, score, passed }) => ({
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
  ].filter((s) => s.people.length > 0)
}
