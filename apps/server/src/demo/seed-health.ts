import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { stream } from '@zhugong/simulator/random'
import type { Health } from '#domains/personnel/public'
import { addDays, formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import type { Secrets } from '#kit/secret'

/** People of the main site with health data, and past influenza cases among them. */
const [onFile, cases] = [60, 12]
/** Days ago on which the outbreak started and ended. */
const outbreak = { from: 54, to: 40 }
const symptoms = ['发热、咳嗽', '咽痛、乏力', '发热、全身酸痛', '流涕、咳嗽']

/** Health data of a site: examinations, vaccinations, and a past influenza outbreak. */
export async function seedHealth(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const projectCode = city.projects[0]?.projectCode
  const people = city.projectWorkers
    .filter((w) => w.projectCode === projectCode && w.exitTime === null && w.workRole === '20')
    .slice(0, onFile)
  const today = formatDay(now)
  for (const [i, { workerId }] of people.entries()) {
    const random = stream(city.seed, 'health', workerId)
    const ill = i < cases
    const day = addDays(today, -random.int(outbreak.to, outbreak.from))
    const declared = (date: string, hour: number, temperature: number, words: string | null) => ({
      time: `${date} ${String(hour).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}:00`,
      temperature,
      symptoms: words,
      trip: null,
      by: '现场医务',
    })
    const health: Health = {
      healthStatus: random.chance(0.1) ? '3' : '1',
      bloodType: null,
      contraindications: random.chance(0.06) ? ['2'] : ['1'],
      examDate: addDays(today, -random.int(20, 300)),
      examReport: [],
      vaccinated: ill || random.chance(0.6) ? [{ dose: 1, date: addDays(today, -random.int(60, 200)) }] : [],
      // Newest first: recovered after some days, ill before.
      declarations: ill
        ? [declared(addDays(day, random.int(3, 6)), 7, 36.5, '无'), declared(day, 7, 37.8 + random.int(0, 9) / 10, random.pick(symptoms))]
        : random.chance(0.3)
          ? [declared(day, 7, 36.4, '无')]
          : [],
    }
    await db
      .updateTable('worker')
      .set({ health: secrets.seal(JSON.stringify(health)) })
      .where('id', '=', workerId)
      .execute()
  }
  await db
    .insertInto('tempAlarmSetting')
    .values({
      projectCode: projectCode ?? '',
      value: JSON.stringify({ mode: false, modeReason: '' }),
      updateName: '现场医务',
      updateTime: new Date(now - outbreak.to * dayMs),
    })
    .onConflict((oc) => oc.doNothing())
    .execute()
}
