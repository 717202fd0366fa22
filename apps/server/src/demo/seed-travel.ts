import { type StopState, stopStates } from '@zhugong/contract/documents/travel-moves'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { toStated, travelKind } from '#domains/documents/travel-kind'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const hour = 3_600_000
type Paper = Insertable<Tables['travelPaper']>
type Stop = Insertable<Tables['travelStop']>
type Round = Insertable<Tables['travelRound']>

/** A task of the city, of which every third site is still to hand in; a paper of a district to pass on, and one only to be read. */
export async function seedTravel(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const actors = await actorsOf(tx)
  const top = actors.of('city-fang')
  const district = actors.of('bj-zhao')
  if (!top || !district) return
  const { rows: districts } = await sql<{ id: string; name: string; areaCode: string }>`select t.id, t.name, g.area_code from tenant t
    join government g on g.gov_code = t.code where t.type = 1 and g.parent_gov_code = (
      select c.code from tenant c where c.id = ${top.groupId}) order by t.name`.execute(tx)
  const { rows: sites } = await sql<{ id: string; name: string; code: string; areaCode: string }>`select t.id, t.name, t.code, p.area_code
    from tenant t join project p on p.project_code = t.code where t.type = 3 order by t.code`.execute(tx)
  const today = formatDay(now)
  const made: Made = { papers: [], stops: [], rounds: [], logs: [] }
  const paper = (name: string, by: Actor, more: Partial<Paper>, age: number): Paper => {
    const one: Paper = {
      id: idOf(city.seed, 'travelPaper', name),
      title: name,
      requirement: '3',
      content: null,
      deadline: null,
      fromGroup: by.groupId,
      fromName: by.groupName,
      byId: by.id,
      issueTime: new Date(startOfDay(addDays(today, -age)) + 9 * hour),
      ...more,
    }
    made.papers.push(one)
    return one
  }
  const task = paper(
    '报送在建项目防汛责任清单',
    top,
    { content: '请各区汇总辖区项目防汛责任人、物资与应急通道情况。', required: ['防汛责任清单', '物资台账'], deadline: addDays(today, -2) },
    12,
  )
  const first = sites[0]
  const files = first ? await handedIn(tx, city, first.code, folder) : []
  for (const [i, one] of districts.entries()) {
    const own = sites.filter((site) => site.areaCode === one.areaCode)
    // Two districts are late; the first has handed in, after one return.
    const late = i >= Math.max(1, districts.length - 2)
    const state = late ? stopStates.toSubmit : i === 0 ? stopStates.submitted : stopStates.done
    send(
      made,
      city,
      task,
      { id: top.groupId, name: top.groupName },
      { id: one.id, name: one.name, type: 1 },
      [top.groupId],
      state,
      files,
      i === 0,
    )
    for (const [k, site] of own.entries()) {
      const from = { id: one.id, name: one.name }
      const below = k % 3 === 2 ? (k % 2 ? stopStates.unread : stopStates.toSubmit) : stopStates.done
      send(made, city, task, from, { ...site, type: 3 }, [top.groupId, one.id], below, files, k === 0)
    }
  }
  const own = sites.filter((site) => site.areaCode === districts.find((one) => one.id === district.groupId)?.areaCode)
  const notice = paper('关于加强夏季高温施工管理的通知', district, { requirement: '1', content: '请各项目组织学习并落实错峰作业。' }, 5)
  const survey = paper('起重机械安全评估情况填报', district, { required: ['评估报告'], deadline: addDays(today, 9) }, 3)
  for (const [k, site] of own.entries()) {
    const from = { id: district.groupId, name: district.groupName }
    send(made, city, notice, from, { ...site, type: 3 }, [district.groupId], k % 3 === 0 ? stopStates.unread : stopStates.done, [], false)
    send(
      made,
      city,
      survey,
      from,
      { ...site, type: 3 },
      [district.groupId],
      k === 0 ? stopStates.returned : stopStates.unread,
      files,
      k === 0,
    )
  }
  const passed = paper(
    '关于开展质量安全月活动的通知',
    top,
    { requirement: '2', content: '请转发至辖区项目。', deadline: addDays(today, 6) },
    4,
  )
  for (const [i, one] of districts.entries())
    send(
      made,
      city,
      passed,
      { id: top.groupId, name: top.groupName },
      { ...one, type: 1 },
      [top.groupId],
      i === 0 ? stopStates.toForward : stopStates.unread,
      [],
      false,
    )
  await insertAll(tx, 'travelPaper', made.papers)
  await insertAll(tx, 'travelStop', made.stops)
  await insertAll(tx, 'travelRound', made.rounds)
  await insertAll(tx, 'processLog', made.logs)
  for (const stop of made.stops) {
    const about = made.papers.find((one) => one.id === stop.paperId)
    if (!about) continue
    const { rows } = await sql<Row<'travelStop'>>`select * from travel_stop where id = ${stop.id}`.execute(tx)
    const [row] = rows
    if (!row) continue
    const stated = toStated({ ...row, title: about.title, requirement: about.requirement })
    await insertAll(tx, 'processTodo', todoRows(travelKind.kind, stated, travelKind.todos(stated), new Date(about.issueTime), now))
  }
}

interface Made {
  papers: Paper[]
  stops: Stop[]
  rounds: Round[]
  logs: Insertable<Tables['processLog']>[]
}
interface Group {
  id: string
  name: string
}
const day = 24 * hour

function send(
  made: Made,
  city: City,
  paper: Paper,
  from: Group,
  to: Group & { type: number },
  above: string[],
  state: StopState,
  files: string[],
  twice: boolean,
): void {
  if (made.stops.some((one) => one.paperId === paper.id && one.toGroup === to.id)) return
  const id = idOf(city.seed, 'travelStop', paper.id, to.id)
  const at = paper.issueTime as Date
  const read = state === stopStates.unread ? null : new Date(at.getTime() + 6 * hour)
  const handedIn =
    state === stopStates.submitted || state === stopStates.returned || (state === stopStates.done && paper.requirement === '3')
  made.stops.push({
    id,
    paperId: paper.id,
    fromGroup: from.id,
    fromName: from.name,
    toGroup: to.id,
    toName: to.name,
    toType: to.type,
    above,
    remark: above.length > 1 ? '请按市局附件格式报送' : null,
    deadline: paper.deadline,
    state,
    readAt: read,
    urgedAt: null,
    version: read ? 1 : 0,
    updateBy: null,
    updateTime: read ?? at,
  })
  const log = (action: string, step: number, byName: string, groupName: string, opinion: string | null = null) =>
    made.logs.push({
      id: idOf(id, 'log', String(step)),
      kind: travelKind.kind,
      objectId: id,
      projectCode: null,
      corpCode: null,
      shownAt: at,
      groups: [to.id, from.id],
      action,
      fromState: null,
      toState: state,
      byId: 'demo',
      byName,
      groupName,
      opinion,
      at: new Date(at.getTime() + step * 6 * hour),
    })
  log('issue', 0, '内勤', from.name)
  if (read) log('read', 1, '资料员', to.name)
  if (!handedIn) return
  const round = (no: number, passed: boolean | null, opinion: string | null) => {
    made.rounds.push({
      stopId: id,
      no,
      files,
      note: no > 1 ? '按意见补充后重报' : null,
      byName: '资料员',
      at: new Date(at.getTime() + no * day),
      passed,
      opinion,
    })
    log('submit', no * 4, '资料员', to.name)
    if (passed !== null) log(passed ? 'accept' : 'return', no * 4 + 1, '内勤', from.name, opinion)
  }
  const returned = state === stopStates.returned
  if (twice || returned) round(1, false, '缺少联系人电话，请补充')
  if (!returned) round(twice ? 2 : 1, state === stopStates.done ? true : null, null)
}

/** A list that the sites hand in. */
async function handedIn(tx: Tx, city: City, projectCode: string, folder: string): Promise<string[]> {
  const file = { id: idOf(city.seed, 'travelFile', projectCode), name: '防汛责任清单.png', mime: 'image/png' as const }
  const drawn = drawFile({ ...file, kind: 'licence', title: '防汛责任清单', lines: ['演示数据'] })
  await keepAll(tx, [await keepFile(folder, projectCode, file, drawn)])
  return [file.id]
}
