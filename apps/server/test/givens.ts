import { birthdayOfIdCard, idCardCheckCharacter, passesLuhn } from '@zhugong/contract/kit/checks'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { registerWorker } from '@zhugong/contract/personnel/workers'
import { formatDay } from '#kit/clock'
import type { NewRow } from '#kit/db'
import { newId } from '#kit/ids'
import { greyPng } from '#kit/png'
import type { World } from './world.ts'

/** Helpers of tests: valid numbers of invented people, files, a company with a team. */
let sequence = 400
/** Sequence numbers per day and district: three digits, one odd and one even for each person. */
const perDistrict = 299
const districts = ['420115', '420102', '420103', '420104', '420105', '420106', '420107', '420111', '420112', '420113', '420114', '420116']
let cards = 0

/** A valid resident identity number, unique within the test; odd sequence numbers are men's. */
export function idCard(wanted?: string, gender: '1' | '2' = '1'): string {
  const perDay = perDistrict * districts.length
  // For thousands of numbers, use one birthday after another.
  const birthday = wanted ?? new Date(Date.UTC(1988, 4, 6 + Math.floor(cards / perDay))).toISOString().slice(0, 10)
  const even = 402 + 2 * (cards % perDistrict)
  const district = districts[Math.floor(cards++ / perDistrict) % districts.length]
  const first = `${district}${birthday.replaceAll('-', '')}${gender === '1' ? even + 1 : even}`
  const number = first + idCardCheckCharacter(first)
  if (birthdayOfIdCard(number) !== birthday) throw new Error(`${birthday} is no birthday`)
  return number
}

export function bankCard(): string {
  sequence++
  const first = `621700${String(sequence).padStart(12, '0')}`
  for (let digit = 0; digit < 10; digit++) if (passesLuhn(`${first}${digit}`)) return `${first}${digit}`
  throw new Error('no check digit')
}

export const mobile = (): string => `139${String(10_000_000 + sequence++).slice(-8)}`

/** Inserts an uploaded file of a group and returns its id. */
export async function storedFile(world: World, groupId: string, mime = 'image/jpeg'): Promise<string> {
  const id = newId()
  await world.database.kysely
    .insertInto('storedFile')
    .values({ id, name: '照片.jpg', mime, bytes: 3, sha256: id, groupId, createBy: 'test', projectCode: null })
    .execute()
  return id
}

/** An alarm of a device as the rules store it: level 2, open and active unless overridden. */
type GivenAlarm = Pick<NewRow<'alarm'>, 'projectCode' | 'alarmKey'> & {
  device: { id: string; name: string; family: string }
  at: Date
} & Partial<NewRow<'alarm'>>

export async function givenAlarm(world: World, { device, at, ...given }: GivenAlarm): Promise<string> {
  const level = given.level ?? 2
  const row = {
    id: newId(),
    deviceId: device.id,
    deviceName: device.name,
    family: device.family,
    label: given.alarmKey,
    level,
    maxLevel: level,
    startTime: at,
    fireTime: at,
    ...given,
  }
  await world.database.kysely.insertInto('alarm').values(row).execute()
  return row.id
}

export interface Site {
  projectCode: string
  corpCode: string
  teamId: string
  groupId: string
}
/** A company that is active in the project, one of its teams, and the project's own group. */
export async function siteOf(world: World, projectCode: string, corpType = '006'): Promise<Site> {
  const db = world.database.kysely
  const unit = await db
    .selectFrom('projectCorp as u')
    .innerJoin('team as t', (join) => join.onRef('t.projectCode', '=', 'u.projectCode').onRef('t.corpCode', '=', 'u.corpCode'))
    .select(['u.corpCode', 't.id as teamId'])
    .where('u.projectCode', '=', projectCode)
    .where('u.corpType', '=', corpType)
    .where('u.exitTime', 'is', null)
    .where('t.exitTime', 'is', null)
    .orderBy('t.teamSysNo')
    .executeTakeFirstOrThrow()
  const group = await db.selectFrom('tenant').select('id').where('type', '=', 3).where('code', '=', projectCode).executeTakeFirstOrThrow()
  return { projectCode, ...unit, groupId: group.id }
}

export type RegisterBody = InputFor<typeof registerWorker>['body']
/** The minimum input of a registration. */
export function newcomer(site: Site | undefined, more: Partial<RegisterBody> = {}): RegisterBody {
  return {
    name: '田光明',
    idCardNumber: idCard(),
    ...(site
      ? {
          stay: {
            projectCode: site.projectCode,
            corpCode: site.corpCode,
            teamId: site.teamId,
            workRole: '20',
            workType: '020',
            entryTime: new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10),
          },
        }
      : {}),
    ...more,
  } as RegisterBody
}

/** A contract as a user enters it: paid by the month, signed today, without an end date. */
export const contractOf = (site: Pick<Site, 'projectCode' | 'corpCode'>, workerId: string, files: readonly string[]) => {
  const today = formatDay(Date.now())
  return {
    workerId,
    projectCode: site.projectCode,
    corpCode: site.corpCode,
    contractCode: `HT-${workerId.slice(-8)}`,
    contractKind: '1',
    contractPeriodType: '1',
    startDate: today,
    endDate: null,
    paymentType: '1',
    unit: null,
    unitPrice: null,
    salary: 32_000,
    payDay: 15,
    workContent: null,
    signDate: today,
    files,
    terminateDate: null,
    terminateReason: null,
  }
}

/** A drawn signature as a data URL; `seed` draws another one. */
export const strokes = (seed = 1): string =>
  `data:image/png;base64,${greyPng(
    Uint8Array.from({ length: 64 * 24 }, (_, i) => ((i * seed) % 7 ? 255 : 0)),
    64,
    24,
  ).toString('base64')}`
