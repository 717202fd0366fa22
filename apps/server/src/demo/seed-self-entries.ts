import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { minuteMs } from '@zhugong/contract/kit/time'
import type { SelfEntryState } from '@zhugong/contract/personnel/self-entry'
import type { City } from '@zhugong/simulator/city-types'
import { personName } from '@zhugong/simulator/names'
import { idCardNumber, mobile } from '@zhugong/simulator/numbers'
import { idOf, stream } from '@zhugong/simulator/random'
import type { Db } from '#kit/db'
import type { Secrets } from '#kit/secret'

/** The officer who decides. */
const clerkAccount = 'hospital-labour'

interface Plan {
  minutesAgo: number
  state?: SelfEntryState
  reason?: string
  noFace?: true
  unproved?: true
  /** A person already on the site registers again. */
  isHere?: true
  /** The ID number of the previous entry with another phone number. */
  twin?: true
  /** Above the age limit. */
  old?: true
}
const plans: readonly Plan[] = [
  { minutesAgo: 2900, state: 'returned', reason: '姓名与身份证不一致，请带原件到办公室' },
  { minutesAgo: 1500, state: 'returned', reason: '班组选错，应为木工一班' },
  { minutesAgo: 95 },
  { minutesAgo: 88, noFace: true },
  { minutesAgo: 81, isHere: true },
  { minutesAgo: 64 },
  { minutesAgo: 60, twin: true },
  { minutesAgo: 52, unproved: true },
  { minutesAgo: 37, old: true },
  { minutesAgo: 21 },
  { minutesAgo: 9 },
]

/** Self-registrations at the hospital site: some waiting since this morning, two returned earlier. */
export async function seedSelfEntries(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const clerk = await db.selectFrom('appUser').select('name').where('account', '=', clerkAccount).executeTakeFirst()
  const projectCode = city.personas.find((p) => p.account === clerkAccount)?.projectCode
  if (!clerk || !projectCode) return
  const doorAt = new Date(now - 6 * 24 * 60 * minuteMs)
  await db
    .insertInto('selfEntryDoor')
    .values({ projectCode, isOpen: true, turn: 1, updateName: clerk.name, updateTime: doorAt, version: 2 })
    .execute()
  const teams = await db
    .selectFrom('team')
    .select(['id', 'corpCode', 'workType'])
    .where('projectCode', '=', projectCode)
    .where('exitTime', 'is', null)
    // Teams of managers are not offered for self-registration.
    .where('teamName', 'not like', '%部')
    .orderBy('id')
    .execute()
  if (teams.length === 0) return
  const present = city.projectWorkers.find((s) => s.projectCode === projectCode && s.exitTime === null && s.workRole === '20')
  const here = city.workers.find((w) => w.workerId === present?.workerId)
  const random = stream('self-entry', projectCode)
  let before = { name: '', number: '' }
  for (const [i, plan] of plans.entries()) {
    const fresh = {
      name: personName(random, 0.1).name,
      number: idCardNumber('420281', plan.old ? '1962-05-11' : `19${78 + i}-03-1${i % 10}`, 601 + 2 * i),
    }
    const person = plan.isHere && here ? { name: here.name, number: here.idCardNumber } : plan.twin ? before : fresh
    before = person
    const phone = mobile(random)
    const urgent = mobile(random)
    const team = teams[i % teams.length]
    if (!team) continue
    const state = plan.state ?? 'waiting'
    const isDone = state !== 'waiting'
    await db
      .insertInto('selfEntry')
      .values({
        id: idOf('self-entry', String(i)),
        projectCode,
        corpCode: team.corpCode,
        teamId: team.id,
        workType: team.workType,
        name: person.name,
        idCardNumber: isDone ? null : secrets.seal(person.number),
        idCardHash: secrets.blindIndex('id-card', person.number),
        idCardMask: maskIdCard(person.number),
        cellPhone: isDone ? null : secrets.seal(phone),
        cellPhoneHash: secrets.blindIndex('phone', phone),
        cellPhoneMask: maskPhone(phone),
        phoneProved: !plan.unproved,
        urgentLinkMan: isDone ? null : personName(random, 0.6).name,
        urgentPhone: isDone ? null : secrets.seal(urgent),
        urgentPhoneMask: isDone ? null : maskPhone(urgent),
        consentFace: !plan.noFace,
        photo: null,
        receiptHash: idOf('self-entry-receipt', String(i)),
        state,
        reason: plan.reason ?? null,
        decidedName: isDone ? clerk.name : null,
        decidedAt: isDone ? new Date(now - plan.minutesAgo * minuteMs + 40 * minuteMs) : null,
        createTime: new Date(now - plan.minutesAgo * minuteMs),
      })
      .execute()
  }
}
