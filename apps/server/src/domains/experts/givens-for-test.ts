import { changeExpert, createExpert, saveLibrary } from '@zhugong/contract/experts/library'
import { idCard, mobile, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

export const anywhere = { projectCode: '*' }

/** A library of the city, with a clerk who writes and another who decides. */
export interface Library {
  groupId: string
  writer: Caller
  decider: Caller
}

export async function openLibrary(world: World, writer: Caller, decider: Caller, more: object = {}): Promise<Library> {
  const { rows } = await world.database.pool.query(
    `select m.group_id as id from app_user u join member m on m.user_id = u.id where u.account = 'city-fang'`,
  )
  await decider.call(saveLibrary, {
    query: anywhere,
    body: { name: '市专家库', isOpen: true, maxAge: 65, leastYears: 15, termYears: 3, coolDays: 0, hideNames: true, version: 0, ...more },
  })
  return { groupId: rows[0]?.id ?? '', writer, decider }
}

export const registration = (papers: string, more: object = {}) => ({
  name: '专家甲',
  idCardNumber: idCard('1970-05-06'),
  phone: mobile(),
  workUnit: '江城理工大学',
  title: '3',
  titleMajor: '岩土工程',
  degree: '07',
  workYears: 25,
  specialties: ['01'],
  resume: '长期从事基坑与岩土工程设计',
  photo: papers,
  unitOpinion: papers,
  commitments: papers,
  submit: true,
  ...more,
})

/** Puts so many experts into the library. Returns ids and phones. */
export async function enlist(world: World, library: Library, n: number, more: (i: number) => object = () => ({})) {
  const papers = await storedFile(world, library.groupId)
  const listed: { id: string; phone: string; name: string }[] = []
  for (let i = 0; i < n; i++) {
    const body = registration(papers, { name: `专家${i + 1}`, workUnit: `设计院${i + 1}有限公司`, ...more(i) })
    const { id } = await library.writer.call(createExpert, { query: anywhere, body })
    await library.decider.call(changeExpert, { params: { id }, query: anywhere, body: { action: 'pass', version: 0, years: 3 } } as never)
    listed.push({ id, phone: body.phone, name: body.name })
  }
  return listed
}
