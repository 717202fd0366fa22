import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { actorsOf } from './actors.ts'
import { insertAll } from './seed-trade.ts'

interface Person {
  workerId: string
  name: string
  gender: string
  corpCode: string
  left: boolean
}
type Room = Insertable<Tables['livingRoom']>

const managers = ['王芳', '刘桂兰', '陈国强']
/** Floors and rooms of each building. */
const buildings: readonly (readonly [name: string, floors: number, perFloor: number])[] = [
  ['1 栋', 3, 8],
  ['2 栋', 3, 8],
  ['3 栋', 2, 8],
]
const mostPeople = 380
const mostLeft = 6

/** Sixty-four rooms in three buildings with their people: some left the project and not the room, two rooms are too full. */
export async function seedResidence(tx: Tx, city: City, now: number): Promise<void> {
  const people = await actorsOf(tx)
  const author = people.of('hospital-pm')
  const project = city.projects.find((one) => city.personas.some((p) => p.account === 'hospital-pm' && p.projectCode === one.projectCode))
  if (!author || !project) return
  const { projectCode } = project
  const today = formatDay(new Date(now))
  const rooms = buildings.flatMap(([name, floors, perFloor]) =>
    Array.from({ length: floors * perFloor }, (_, i) =>
      roomOf(city, projectCode, author.id, name, Math.floor(i / perFloor) + 1, (i % perFloor) + 1, today),
    ),
  )
  await insertAll(tx, 'livingRoom', rooms)
  await insertAll(tx, 'roomStay', await staysOf(tx, city, projectCode, rooms, today))
  await insertAll(
    tx,
    'roomCheck',
    rooms.flatMap((room) => checksOf(city, room, now)),
  )
}

/** The ground floor of the third building is kitchen, bath and offices. */
const usesBelow: readonly string[] = ['2', '2', '3', '3', '4', '4', '5', '7']

function roomOf(
  city: City,
  projectCode: string,
  createBy: string,
  buildingName: string,
  floor: number,
  at: number,
  today: string,
): Room & { id: string; beds: number } {
  const roomNo = `${floor}0${at}`
  const id = idOf(city.seed, 'room', projectCode, buildingName, roomNo)
  const random = stream(city.seed, 'room', id)
  const type = buildingName === '3 栋' && floor === 1 ? (usesBelow[at - 1] ?? '9') : '1'
  // Two rooms were planned for fewer beds than stand in them.
  const crowded = (buildingName === '1 栋' && roomNo === '203') || (buildingName === '2 栋' && roomNo === '206')
  return {
    id,
    projectCode,
    type,
    buildingName,
    floor,
    roomNo,
    area: type === '1' ? (crowded ? 16.5 : 20.5) : 36,
    beds: type === '1' ? 8 : 0,
    usage: type !== '1' ? null : buildingName === '3 栋' && at === 1 ? '3' : buildingName === '3 栋' && at === 2 ? '2' : '1',
    manager: managers[buildings.findIndex(([name]) => name === buildingName)] ?? '王芳',
    fireNext: addDays(today, random.int(-3, 60)),
    extinguisher: true,
    smokeAlarm: random.int(0, 20) > 0,
    emergencyLight: true,
    exitSign: true,
    lowVoltage: true,
    powerLimit: random.int(0, 9) > 0,
    createBy,
    createTime: new Date(startOfDay(addDays(today, -200))),
    updateBy: null,
    updateTime: null,
  }
}

async function staysOf(tx: Tx, city: City, projectCode: string, rooms: readonly (Room & { id: string; beds: number })[], today: string) {
  const { rows } = await sql<Person>`select distinct on (pw.worker_id) pw.worker_id, pw.worker_name as name, pw.gender, pw.corp_code,
      pw.exit_time is not null as left from project_worker pw where pw.project_code = ${projectCode} and pw.entry_time < ${new Date(startOfDay(today))}
    order by pw.worker_id, pw.exit_time is not null, pw.exit_time desc`.execute(tx)
  const here = rows.filter((one) => !one.left)
  const gone = rows.filter((one) => one.left).slice(0, mostLeft)
  const chosen = [...gone, ...here].slice(0, mostPeople)
  const stays: Insertable<Tables['roomStay']>[] = []
  for (const gender of ['1', '2']) {
    const waiting = chosen.filter((one) => one.gender === gender)
    // One bed of most rooms stays free.
    for (const room of rooms.filter((one) => one.beds > 0 && one.usage === gender))
      for (let bed = 1; bed <= room.beds - (Number(room.roomNo) % 3 === 0 ? 1 : 0); bed++) {
        const person = waiting.shift()
        if (!person) break
        stays.push({
          id: idOf(city.seed, 'stay', room.id, String(bed)),
          roomId: room.id,
          projectCode,
          corpCode: person.corpCode,
          workerId: person.workerId,
          name: person.name,
          gender,
          bed,
          fromDay: addDays(today, -20 - (stays.length % 120)),
          toDay: null,
          reason: null,
          byName: room.manager,
        })
      }
  }
  return stays
}

/** A check every week; one of the newest failed on its power. */
function checksOf(city: City, room: Room & { id: string }, now: number): Insertable<Tables['roomCheck']>[] {
  const at = startOfDay(addDays(formatDay(new Date(now)), -2)) + 20 * hourMs
  return Array.from({ length: 4 }, (_, week) => {
    const failed = week === 0 && room.buildingName === '2 栋' && room.roomNo === '305'
    return {
      id: idOf(city.seed, 'roomCheck', room.id, String(week)),
      roomId: room.id,
      projectCode: room.projectCode,
      at: new Date(at - week * 7 * dayMs),
      byName: room.manager,
      fire: true,
      power: !failed,
      hygiene: true,
      note: failed ? '床头私接插排，已收缴，限期拆除' : null,
    }
  })
}
