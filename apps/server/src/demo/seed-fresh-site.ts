import { maskPhone } from '@zhugong/contract/kit/checks'
import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import type { Secrets } from '#kit/secret'

/** District of the new site. */
const yundong = '420203'
const site = { name: '云东新城实验小学', shortName: '云东小学', address: '云东区学府路 66 号', lng: 115.062, lat: 30.228 }
const linkMan = { name: '贺子明', phone: '13986580417' }
const openedDays = 2

/**
 * A site opened two days ago without licence, supervisor, account, gate, person or machine. It needs no docking, so one of the seven onboarding steps
 * does not apply.
 */
export async function seedFreshSite(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const contractor = city.personas.find((one) => one.account === 'yunze-lu')?.corpCode
  const owner = city.projectCorps.find((one) => one.corpType === '008')?.corpCode
  const body = city.governments.find((one) => one.areaCode === yundong)?.govCode
  if (!contractor || !owner) throw new Error('the demonstration lacks its contractor')
  const opened = new Date(now - openedDays * dayMs)

  const projectCode = `${yundong}${formatDay(opened.getTime()).slice(2).replaceAll('-', '')}010001`
  await db
    .insertInto('project')
    .values({
      id: newId(now),
      projectCode,
      ...site,
      contractorCorpCode: contractor,
      buildCorpCode: owner,
      category: '01',
      prjStatus: '001',
      areaCode: yundong,
      propertyNum: '001',
      invest: 6_800,
      startDate: formatDay(now + 20 * dayMs),
      completeDate: formatDay(now + 560 * dayMs),
      linkMan: linkMan.name,
      linkPhone: secrets.seal(linkMan.phone),
      linkPhoneMask: maskPhone(linkMan.phone),
      superviseOrg: body ?? null,
      builderLicenses: '[]',
      createTime: opened,
    })
    .execute()
  await db
    .insertInto('tenant')
    .values({ id: newId(now), type: 3, code: projectCode, name: site.name, areaCode: yundong })
    .execute()
  for (const [corpCode, corpType] of [
    [contractor, '009'],
    [owner, '008'],
  ] as const)
    await db
      .insertInto('projectCorp')
      .values({
        id: newId(now),
        projectCode,
        corpCode,
        corpType,
        entryTime: formatDay(opened.getTime()),
        pmName: linkMan.name,
        createTime: opened,
      })
      .execute()
}
