import { createHash, createHmac } from 'node:crypto'
import { type DrawList, type DrawnQuota, drawLots, listText, streamText } from '@zhugong/contract/draw/lots'
import { mostOfUnit } from '@zhugong/contract/experts/draws'
import { needsSentence } from '@zhugong/contract/experts/scores'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { entryAfter } from '#domains/draw/public'
import { activityKind, drawKind, isSameUnit, statedActivity, statedDraw } from '#domains/experts/public'
import { addDays } from '#kit/clock'
import type { Row, Tables } from '#kit/db'
import type { Secrets } from '#kit/secret'
import type { ActivityPlan, Actor, DrawPlan, Listed } from './expert-plan.ts'
import { todoRows } from './todo-rows.ts'

export interface DrawSeeds {
  city: City
  secrets: Secrets
  now: number
  libraryGroup: string
  actors: ReadonlyMap<string, Actor>
  listed: readonly Listed[]
  /** yyyy-MM-dd */
  today: string
}

const tables = [
  'drawRun',
  'drawResult',
  'drawChain',
  'expertDraw',
  'expertDrawQuota',
  'expertDrawRecusal',
  'expertDrawSeat',
  'expertActivity',
  'expertActivitySeat',
  'expertScore',
  'processLog',
  'processTodo',
  'documentNumber',
] as const
type Rows = { [T in (typeof tables)[number]]: Insertable<Tables[T]>[] }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hours = { am: 9, pm: 14 } as const
const atHour = (day: string, hour: number) => new Date(Date.parse(`${day}T00:00:00+08:00`) + hour * hourMs)

/** Rows of all draws and activities, in an order that the references of the tables allow. Drawn by the rules themselves, so that each can be repeated. */
export function drawRows(seeds: DrawSeeds, draws: readonly DrawPlan[], activities: readonly ActivityPlan[]): Rows {
  const rows = Object.fromEntries(tables.map((table) => [table, []])) as unknown as Rows
  const numbers = new Map<string, number>()
  const number = (kind: string, actor: Actor, day: string) => {
    const key = `${kind} ${actor.groupId} ${day.slice(0, 4)}`
    const no = (numbers.get(key) ?? 0) + 1
    numbers.set(key, no)
    return `${kind}-${day.slice(0, 4)}-${String(no).padStart(4, '0')}`
  }
  let before: Row<'expertDraw'> | undefined
  for (const [i, plan] of draws.entries()) before = addDraw(seeds, rows, plan, i, number, before)
  for (const [i, plan] of [...activities].sort((a, b) => a.at - b.at).entries()) addActivity(seeds, rows, plan, i, number)
  // The next paper of a group goes on from here.
  for (const [key, last] of numbers) {
    const [prefix = '', owner = '', year = ''] = key.split(' ')
    rows.documentNumber.push({ owner, docType: prefix === 'ZJCQ' ? drawKind.kind : activityKind.kind, year: Number(year), last })
  }
  return rows
}

type NumberOf = (kind: string, actor: Actor, day: string) => string

function addDraw(
  seeds: DrawSeeds,
  rows: Rows,
  plan: DrawPlan,
  no: number,
  number: NumberOf,
  before: Row<'expertDraw'> | undefined,
): Row<'expertDraw'> {
  const { city, today, libraryGroup, listed } = seeds
  const actor = actorOf(seeds, plan.by)
  const meetingDate = addDays(today, plan.at)
  const frozenAt = atHour(addDays(today, Math.min(plan.at - 8 + (plan.repeats ? 2 : 0), -1)), 10)
  const id = idOf(city.seed, 'expertDraw', String(no))
  const project = city.projects.find((one) => one.projectCode === projectOf(seeds, plan.about))
  const companies = city.projectCorps.filter((one) => one.projectCode === project?.projectCode).map((one) => one.corpCode)
  const names = city.corporations.filter((one) => companies.includes(one.corpCode)).map((one) => one.corpName)
  const wanted = plan.quotas.map(([specialty]) => specialty)
  const fit = listed.filter((one) => one.specialties.some((code) => wanted.includes(code))).sort((a, b) => (a.id < b.id ? -1 : 1))
  const unitOf = (one: Listed) => names.find((name) => isSameUnit(name, one.workUnit))
  const free = fit.filter((one) => unitOf(one) === undefined)
  const list: DrawList = {
    lots: free.map((one) => ({
      key: one.id,
      classes: one.specialties.filter((code) => wanted.includes(code)).sort(),
      unit: sha256(one.workUnit).slice(0, 16),
    })),
    quotas: plan.quotas.map(([name, seats]) => ({ name, seats })),
    perUnit: mostOfUnit,
  }
  const text = listText(list)
  const seed = createHash('sha256').update(`${city.seed} demonstration draw ${no}`).digest()
  const [listHash, commitment] = [sha256(text), sha256(seed)]
  const isSite = actor.projectCode !== null
  const knowing = isSite ? [libraryGroup] : [...new Set([actor.groupId, libraryGroup])]
  const isOpen = meetingDate <= today
  const states = { done: '2', full: '2', calling: '1', frozen: '0', cancelled: '3' } as const
  const runId = idOf(id, 'run')
  const again = plan.repeats ? before : undefined
  const audience = [...new Set([actor.groupId, libraryGroup])]
  const row: Row<'expertDraw'> = {
    id,
    code: number('ZJCQ', actor, meetingDate),
    libraryGroup,
    organiserGroup: actor.groupId,
    organiserName: actor.groupName,
    groups: knowing,
    aboutProject: project?.projectCode ?? null,
    aboutName: project?.name ?? null,
    purpose: plan.purpose,
    title: plan.title,
    meetingDate,
    half: plan.half,
    place: project ? `${project.shortName ?? project.name}项目会议室` : '市民中心 3 号楼 502 会议室',
    overScale: plan.overScale ?? false,
    hideNames: project !== undefined,
    replyHours: 24,
    run: again ? again.run + 1 : 1,
    meeting: again?.meeting ?? id,
    reason: plan.repeats ?? null,
    candidates: free.length,
    accepted: 0,
    listHash,
    commitment,
    frozenAt,
    frozenName: actor.name,
    shownAt: project === undefined || isOpen ? frozenAt : null,
    state: states[plan.stage],
    version: 0,
    createBy: actor.id,
    updateBy: actor.id,
    updateTime: frozenAt,
  }
  rows.drawRun.push({
    id: runId,
    kind: drawKind.kind,
    objectId: id,
    organiserGroup: actor.groupId,
    audience,
    listText: text,
    listHash,
    commitment,
    sealedSeed: seeds.secrets.seal(seed.toString('hex')) ?? Buffer.alloc(0),
    frozenAt,
    frozenBy: actor.id,
    frozenName: actor.name,
  })
  chain(rows, { organiserGroup: actor.groupId, runId, by: actor.id, at: frozenAt }, { type: 'freeze', run: runId, listHash, commitment })
  rows.expertDrawQuota.push(
    ...plan.quotas.map(([specialty, seats], seq) => ({
      drawId: id,
      seq,
      specialty,
      seats,
      candidates: free.filter((one) => one.specialties.includes(specialty)).length,
    })),
  )
  rows.expertDrawRecusal.push(
    ...fit.flatMap((one) => {
      const unit = unitOf(one)
      return unit
        ? [{ drawId: id, expertId: one.id, expertName: one.name, workUnit: one.workUnit, reason: `与参建单位有关：${unit}`, manual: false }]
        : []
    }),
  )
  const log = logOf(rows, drawKind.kind, statedDraw(row), actor)
  log(
    'create',
    null,
    '0',
    frozenAt,
    `候选 ${free.length} 人，回避 ${fit.length - free.length} 人${again ? `；第 ${row.run} 次，原因：${row.reason}` : ''}`,
  )
  if (plan.stage !== 'frozen') {
    const digits = [String(17 + no * 31), String(402 + no * 7)]
    const witnesses = ['王建国', '李秀兰']
    const result = drawLots(list, (index) =>
      createHmac('sha256', seed)
        .update(streamText(listHash, digits, index))
        .digest(),
    )
    const drawnAt = new Date(frozenAt.getTime() + 12 * minuteMs)
    rows.drawResult.push({
      runId,
      groups: knowing,
      audience,
      shownAt: row.shownAt,
      seed: seed.toString('hex'),
      witnesses,
      digits,
      result: JSON.stringify(result),
      drawnAt,
      drawnBy: actor.id,
      drawnName: actor.name,
    })
    const resultHash = sha256(JSON.stringify({ seed: seed.toString('hex'), result }))
    chain(rows, { organiserGroup: actor.groupId, runId, by: actor.id, at: drawnAt }, { type: 'draw', run: runId, digits, resultHash })
    log('draw', '0', '1', drawnAt, witnesses.map((name, i) => `${name} ${digits[i]}`).join('，'))
    const seats = seatsOf(seeds, plan, row, result, drawnAt)
    rows.expertDrawSeat.push(...seats)
    row.accepted = seats.filter((one) => one.reply === 'accepted').length
    row.version = 1 + seats.filter((one) => one.replyAt).length
    if (plan.stage === 'cancelled') log('cancel', '1', '3', new Date(drawnAt.getTime() + dayMs), '方案内容调整，需补充专业后重新抽取')
  }
  rows.expertDraw.push(row)
  const stated = statedDraw(row)
  rows.processTodo.push(...todoRows(drawKind.kind, stated, drawKind.todos(stated), frozenAt, seeds.now))
  if (plan.stage === 'done' || plan.stage === 'full') activityOfDraw(seeds, rows, plan, row, actor, number)
  return row
}

function chain(rows: Rows, of: Parameters<typeof entryAfter>[1], content: object): void {
  const own = rows.drawChain.filter((one) => one.organiserGroup === of.organiserGroup)
  const last = own.at(-1)
  rows.drawChain.push(
    entryAfter(last ? { seq: Number(last.seq), hash: String(last.hash) } : undefined, of, content as Record<string, unknown>),
  )
}

function seatsOf(
  seeds: DrawSeeds,
  plan: DrawPlan,
  draw: Row<'expertDraw'>,
  result: readonly DrawnQuota[],
  drawnAt: Date,
): Row<'expertDrawSeat'>[] {
  const known = new Map(seeds.listed.map((one) => [one.id, one]))
  return result.flatMap(({ name: specialty, seats, reserve }, q) => {
    const refused = q === 0 ? (plan.refused ?? []) : []
    // The next of the reserve who holds no other seat.
    const seated = new Set(result.flatMap((one) => one.seats))
    const stepped = new Set(reserve.filter((id) => !seated.has(id)).slice(0, refused.length))
    return [...seats, ...reserve].flatMap((expertId, i): Row<'expertDrawSeat'>[] => {
      const expert = known.get(expertId)
      if (!expert) return []
      const rank = i + 1
      const called = i < seats.length || stepped.has(expertId)
      const answers = plan.stage === 'calling' ? i === 0 : plan.stage !== 'cancelled'
      const reply = !called ? 'standby' : refused.includes(rank) ? 'refused' : answers ? 'accepted' : 'invited'
      const replyAt = reply === 'accepted' || reply === 'refused' ? new Date(drawnAt.getTime() + (2 + i) * hourMs) : null
      return [
        {
          id: idOf(draw.id, 'seat', specialty, String(rank)),
          drawId: draw.id,
          groups: draw.groups,
          shownAt: draw.shownAt,
          specialty,
          rank,
          expertId,
          expertName: expert.name,
          workUnit: expert.workUnit,
          phoneMask: expert.phoneMask,
          reply,
          note: reply === 'refused' ? '当日有教学任务' : null,
          meetingDate: draw.meetingDate,
          half: draw.half,
          dueAt: called ? new Date(plan.stage === 'calling' ? seeds.now + 20 * hourMs : drawnAt.getTime() + 24 * hourMs) : null,
          replyAt,
          replyBy: replyAt ? '许文静' : null,
        },
      ]
    })
  })
}

const actorOf = ({ actors }: DrawSeeds, account: string): Actor => {
  const known = actors.get(account)
  if (!known) throw new Error(`nobody is called ${account}`)
  return known
}
const projectOf = (seeds: DrawSeeds, account: string | undefined) =>
  account ? seeds.city.personas.find((one) => one.account === account)?.projectCode : undefined

function activityOfDraw(seeds: DrawSeeds, rows: Rows, plan: DrawPlan, draw: Row<'expertDraw'>, actor: Actor, number: NumberOf): void {
  const came = rows.expertDrawSeat.filter((one) => one.drawId === draw.id && one.reply === 'accepted')
  const people = came.flatMap((one) => seeds.listed.find((expert) => expert.id === one.expertId) ?? [])
  addMeeting(seeds, rows, {
    id: idOf(draw.id, 'activity'),
    actor,
    draw,
    number,
    people,
    plan: {
      by: plan.by,
      type: plan.purpose,
      title: plan.title,
      at: plan.at,
      half: plan.half,
      stage: plan.stage === 'done' ? 'done' : 'coming',
    },
  })
}

/** The expert with the full file, and the one who fails twice, take part in many activities without a draw. */
function addActivity(seeds: DrawSeeds, rows: Rows, plan: ActivityPlan, no: number, number: NumberOf): void {
  const { listed, city } = seeds
  const own = listed.filter((one) => one.specialties[0] === plan.field)
  const chosen = Array.from({ length: plan.people }, (_, i) => own[(no * 3 + i * 2) % own.length]).filter((one) => one !== undefined)
  const guests = plan.stage === 'done' ? [...(no % 2 === 0 ? [listed[0]] : []), ...(no % 3 === 1 ? [failingOf(listed)] : [])] : []
  const people = [...new Set([...chosen, ...guests.filter((one) => one !== undefined)])]
  addMeeting(seeds, rows, {
    id: idOf(city.seed, 'expertActivity', String(no)),
    actor: actorOf(seeds, plan.by),
    draw: undefined,
    number,
    people,
    plan,
  })
}

const failingOf = (listed: readonly Listed[]) => listed.filter((one) => one.specialties[0] === '06')[1]

interface Meeting {
  id: string
  actor: Actor
  draw: Row<'expertDraw'> | undefined
  number: NumberOf
  people: readonly Listed[]
  plan: Pick<ActivityPlan, 'by' | 'type' | 'title' | 'at' | 'half' | 'stage'>
}

/** Days after an activity from which on it has been scored. */
const scoredAfter = 28

function addMeeting(seeds: DrawSeeds, rows: Rows, { id, actor, draw, number, people, plan }: Meeting): void {
  const { today, libraryGroup } = seeds
  const date = addDays(today, plan.at)
  const groups = draw?.groups ?? [...new Set([actor.groupId, libraryGroup])]
  const made = draw ? new Date(draw.frozenAt.getTime() + 2 * dayMs) : atHour(addDays(today, Math.min(plan.at - 5, -1)), 11)
  const shownAt = draw ? draw.shownAt : made
  const isOver = plan.stage === 'done' || plan.stage === 'unfiled'
  const isReview = plan.type === '1'
  const states = { coming: '1', unfiled: '3', done: '4', cancelled: '5' } as const
  const start = atHour(date, hours[plan.half])
  const row: Row<'expertActivity'> = {
    id,
    code: number('ZJHD', actor, date),
    libraryGroup,
    organiserGroup: actor.groupId,
    organiserName: actor.groupName,
    groups,
    shownAt,
    aboutProject: draw?.aboutProject ?? null,
    aboutName: draw?.aboutName ?? null,
    drawId: draw?.id ?? null,
    noDrawReason: draw ? null : '日常技术支持，按专业轮值邀请',
    activityType: plan.type,
    title: plan.title,
    date,
    half: plan.half,
    place: draw?.place ?? '市民中心 3 号楼 502 会议室',
    content: `${plan.title}，形成书面意见`,
    overScale: draw?.overScale ?? false,
    result: isOver ? (isReview ? 'changed' : 'done') : null,
    conclusion: isOver
      ? isReview
        ? '修改后通过：补充计算书和应急预案，经专家组长复核后实施'
        : '按计划完成，意见已书面反馈组织单位'
      : null,
    report: null,
    state: states[plan.stage],
    version: isOver ? people.length + 2 : 0,
    createBy: actor.id,
    createTime: made,
    updateBy: actor.id,
    updateTime: made,
  }
  rows.expertActivity.push(row)
  const log = logOf(rows, activityKind.kind, statedActivity(row), actor)
  log('create', null, '1', made, row.noDrawReason)
  if (isOver) log('conclude', '2', '3', new Date(start.getTime() + 4 * hourMs), row.conclusion)
  if (plan.stage === 'done') log('finish', '3', '4', new Date(start.getTime() + dayMs), null)
  if (plan.stage === 'cancelled') log('cancel', '1', '5', new Date(start.getTime() - dayMs), '现场停工，检查改期')
  const stated = statedActivity(row)
  rows.processTodo.push(...todoRows(activityKind.kind, stated, activityKind.todos(stated), start, seeds.now))
  for (const [i, expert] of people.entries()) {
    const seatId = idOf(id, 'seat', expert.id)
    rows.expertActivitySeat.push({
      id: seatId,
      activityId: id,
      groups,
      shownAt,
      expertId: expert.id,
      expertName: expert.name,
      workUnit: expert.workUnit,
      phoneHash: expert.phoneHash,
      role: i === 0 ? '组长' : '成员',
      date,
      half: plan.half,
      held: plan.stage !== 'cancelled',
      signAt: isOver ? new Date(start.getTime() - (10 - i) * minuteMs) : null,
      feeCents: plan.stage === 'done' ? (i === 0 ? 120_000 : 100_000) : null,
    })
    if (plan.stage === 'done' && plan.at < -scoredAfter) rows.expertScore.push(scoreOf(seeds, row, actor, expert, seatId))
  }
}

function scoreOf(
  seeds: DrawSeeds,
  activity: Row<'expertActivity'>,
  actor: Actor,
  expert: Listed,
  seatId: string,
): Insertable<Tables['expertScore']> {
  const random = stream(seeds.city.seed, 'expertScore', seatId)
  const fails = expert.id === failingOf(seeds.listed)?.id
  const line = () =>
    fails
      ? random.int(8, 12)
      : random.weighted([
          [15, 2],
          [16, 4],
          [17, 4],
          [18, 3],
          [19, 1],
        ] as const)
  const lines = { presence: line(), skill: line(), opinion: line(), fairness: line(), discipline: line() }
  return {
    id: idOf(seatId, 'score'),
    seatId,
    activityId: activity.id,
    expertId: expert.id,
    libraryGroup: activity.libraryGroup,
    organiserGroup: activity.organiserGroup,
    organiserName: activity.organiserName,
    year: Number(activity.date.slice(0, 4)),
    ...lines,
    total: Object.values(lines).reduce((sum, one) => sum + one, 0),
    sentence: needsSentence(lines) ? (fails ? '迟到，意见笼统，未按要求提交书面意见' : '意见具体，可操作性强') : null,
    byId: actor.id,
    byName: actor.name,
    at: new Date(Date.parse(`${activity.date}T00:00:00+08:00`) + 3 * dayMs),
  }
}

type Stated = Pick<ReturnType<typeof statedDraw>, 'id' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>
const logOf =
  (rows: Rows, kind: string, row: Stated, actor: Actor) =>
  (action: string, fromState: string | null, toState: string, at: Date, opinion: string | null): void => {
    rows.processLog.push({
      id: idOf(row.id, 'step', action),
      kind,
      objectId: row.id,
      projectCode: row.projectCode,
      corpCode: row.corpCode,
      shownAt: row.shownAt,
      groups: row.groups,
      action,
      fromState,
      toState,
      byId: actor.id,
      byName: actor.name,
      groupName: actor.groupName,
      opinion,
      at,
    })
  }
